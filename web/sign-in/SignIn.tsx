import { useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import type { AccessRequested, Enrolled, FirstEnrolment } from '#shared/schemas/enrolments.ts';
import { commandLine } from '../devices/opens-elsewhere.ts';
import { SignInCard } from '../app/SignInCard.tsx';
import { call } from '../live/api.ts';
import { beginSession, session } from '../live/session.ts';
import { keepStored, recall } from '../live/stored.ts';
import { Field } from '../ui/Field.tsx';
import { say } from '../ui/language.ts';
import { Mark } from '../ui/Mark.tsx';
import { TypedPostcode } from '../ui/post/Postcode.tsx';
import { Button, Quiet } from '../ui/Button.tsx';
import { Refused, Wrong } from '../app/form/Wrong.tsx';
import { clockTime } from '../ui/times.ts';
import { guessDeviceName } from './device-name.ts';
import { words } from './words.ts';

type Asked = AccessRequested & { deviceName: string };

/** Kept until the digits were typed: a phone may drop a page while its owner reads them on another one. */
const ASKED = 'asked';

/** How a new device signs in: say who you are, then type the digits that a device of yours shows. */
export function SignIn() {
  const [request, setRequest] = useState<Asked | 'reading' | undefined>('reading');
  const first = useFirst();
  useEffect(() => {
    void recall<Asked>(ASKED).then((saved) =>
      setRequest(saved && Date.parse(saved.expiresAt) > Date.now() ? saved : undefined),
    );
  }, []);
  const keep = (next: Asked | undefined) => {
    void keepStored(ASKED, next);
    setRequest(next);
  };
  if (request === 'reading' || first === undefined) return null;
  if (request)
    return (
      <TypeDigits
        key={request.enrolmentId}
        request={request}
        onIn={(enrolled) => void keepStored(ASKED, undefined).then(() => beginSession(enrolled))}
        onLeave={() => keep(undefined)}
      />
    );
  return first ? <FirstStart /> : <AccessRequest onAccessRequest={keep} />;
}

function AccessRequest({ onAccessRequest }: { onAccessRequest: (request: Asked) => void }) {
  const t = say(words);
  const [handle, setHandle] = useState('');
  const [deviceName, setDeviceName] = useState(() => guessDeviceName(navigator.userAgent, navigator.maxTouchPoints));
  const [problem, setProblem] = useState<Problem | undefined>();
  const [busy, setBusy] = useState(false);
  const wasRevoked = session.value.state === 'out' && session.value.revoked;
  const submit = async () => {
    if (busy || handle.trim() === '') return;
    setBusy(true);
    const reply = await call<AccessRequested>('POST', '/v1/enrolments', {
      handle: handle.trim().toLowerCase(),
      deviceName: deviceName.trim(),
    });
    setBusy(false);
    if (reply.problem) setProblem(reply.problem);
    else onAccessRequest({ ...reply.ok, deviceName: deviceName.trim() });
  };
  return (
    <SignInCard
      title={t.title}
      lede={wasRevoked ? <b role="status">{t.revoked}</b> : t.lede}
      onSubmit={() => void submit()}
    >
      <Field
        label={t.handle}
        value={handle}
        onWrite={setHandle}
        autocomplete="username"
        spellcheck={false}
        maxLength={39}
        required
        name="handle"
      />
      <p class="hint">{t.handleHint}</p>
      <div class="field-gap">
        <Field label={t.device} value={deviceName} onWrite={setDeviceName} maxLength={80} required name="device" />
      </div>
      <Refused problem={problem} />
      <div class="bar-do card-do">
        <Button submit waits={busy || handle.trim() === ''} onPress={() => {}}>
          {t.ask}
        </Button>
      </div>
      <p class="hint">
        {t.noDevice}{' '}
        <code>
          {commandLine()} person link {t.handleWord}
        </code>
      </p>
    </SignInCard>
  );
}

type TypeDigitsProps = { request: Asked; onIn: (enrolled: Enrolled) => void; onLeave: () => void };

function TypeDigits({ request, onIn, onLeave }: TypeDigitsProps) {
  const t = say(words);
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<Problem | undefined>();
  const boxes = useRef<HTMLDivElement>(null);
  const [missing, setMissing] = useState(false);
  const [busy, setBusy] = useState(false);
  const over =
    problem !== undefined && problem.code !== 'enrolment.wrong_code' && problem.status !== 0 && problem.status !== 429;
  const send = async (digits: string) => {
    if (busy || over) return;
    setMissing(digits.length < 6);
    if (digits.length < 6) return;
    setBusy(true);
    const reply = await call<Enrolled>('POST', '/v1/enrolments/redeem', {
      enrolmentId: request.enrolmentId,
      code: digits,
      deviceName: request.deviceName,
    });
    setBusy(false);
    if (reply.ok) return onIn(reply.ok);
    setProblem(reply.problem);
    setCode('');
    boxes.current?.querySelector('input')?.focus();
  };
  return (
    <SignInCard title={t.codeTitle} lede={t.codeLede} onSubmit={() => void send(code)}>
      <div ref={boxes}>
        <TypedPostcode label={t.digits} value={code} onType={setCode} onFull={(digits) => void send(digits)} />
      </div>
      <p class="hint">{t.until(clockTime(Date.parse(request.expiresAt)))}</p>
      <Refused problem={problem} />
      {missing && !problem && <Wrong>{t.missing(6 - code.length)}</Wrong>}
      {!problem && (
        <p class="elsewhere" role="status">
          <Mark name="dots" />
          <span>{t.waitingFor}</span>
        </p>
      )}
      <div class="bar-do card-do">
        {over ? (
          <Button onPress={onLeave}>{t.again}</Button>
        ) : (
          <Button submit waits={busy || code.length < 6} onPress={() => {}}>
            {t.signIn}
          </Button>
        )}
      </div>
      {!over && (
        <div class="bar-also">
          <Quiet onPress={onLeave}>{t.startAgain}</Quiet>
        </div>
      )}
    </SignInCard>
  );
}

const AGAIN_MS = 4000;
/** A hub that takes longer shows the usual card meanwhile. */
const LONGEST_MS = 1500;

/** Whether the hub waits for its first device, followed until it does not; undefined until that is known. */
function useFirst(): boolean | undefined {
  const [waiting, setWaiting] = useState<boolean | undefined>();
  useEffect(() => {
    let timer = setTimeout(() => setWaiting((known) => known ?? false), LONGEST_MS);
    let gone = false;
    const ask = async () => {
      const reply = await call<FirstEnrolment>('GET', '/v1/enrolments/first');
      if (gone) return;
      clearTimeout(timer);
      setWaiting((before) => reply.ok?.waiting ?? before ?? false);
      if (reply.ok?.waiting !== false) timer = setTimeout(() => void ask(), AGAIN_MS);
    };
    void ask();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, []);
  return waiting;
}

/** Nobody is signed in anywhere: where the first link is, since no device can be asked. */
function FirstStart() {
  const t = say(words);
  return (
    <SignInCard title={t.firstTitle} lede={t.freshLede}>
      <p>
        <b>{t.freshWhere}</b>
      </p>
      <p class="hint">{t.freshWhy}</p>
      <p class="hint">
        {t.freshFile} <code>DATA_DIR/sign-in-link</code>
        {t.freshAgain} <code>{commandLine()} person link owner</code>
      </p>
      <p class="elsewhere" role="status">
        <Mark name="dots" />
        <span>{t.freshWaiting}</span>
      </p>
    </SignInCard>
  );
}
