import { useRef, useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import type { Enrolled, AccessRequested } from '#shared/wire.ts';
import { timeOf } from '../app/clock.ts';
import { Postcard } from '../app/Postcard.tsx';
import { call } from '../live/api.ts';
import { beginSession, session } from '../live/session.ts';
import { Field } from '../ui/Field.tsx';
import { say } from '../ui/language.ts';
import { Mark } from '../ui/Mark.tsx';
import { TypedPostcode } from '../ui/post/Postcode.tsx';
import { Quiet, Slab } from '../ui/Slab.tsx';
import { guessDeviceName } from './device-name.ts';
import { Refused, Wrong } from '../app/form/Wrong.tsx';
import { words } from './words.ts';

/** How a new device signs in: say who you are, then type the digits that a device of yours shows. */
export function SignIn() {
  const [request, setAccessRequest] = useState<(AccessRequested & { deviceName: string }) | undefined>();
  return request ? (
    <TypeDigits key={request.enrolmentId} request={request} onLeave={() => setAccessRequest(undefined)} />
  ) : (
    <AccessRequest onAccessRequest={setAccessRequest} />
  );
}

function AccessRequest({
  onAccessRequest,
}: {
  onAccessRequest: (request: AccessRequested & { deviceName: string }) => void;
}) {
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
    <Postcard
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
      <div class="bar-do postcard-do">
        <Slab submit waits={busy || handle.trim() === ''} onPress={() => {}}>
          {t.ask}
        </Slab>
      </div>
      <p class="hint">
        {t.noDevice} <code>npm run -s beckon -- person link {t.handleWord}</code>
      </p>
    </Postcard>
  );
}

function TypeDigits({ request, onLeave }: { request: AccessRequested & { deviceName: string }; onLeave: () => void }) {
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
    if (reply.ok) return beginSession(reply.ok);
    setProblem(reply.problem);
    setCode('');
    boxes.current?.querySelector('input')?.focus();
  };
  return (
    <Postcard title={t.codeTitle} lede={t.codeLede} onSubmit={() => void send(code)}>
      <div ref={boxes}>
        <TypedPostcode label={t.digits} value={code} onType={setCode} onFull={(digits) => void send(digits)} />
      </div>
      <p class="hint">{t.until(timeOf(Date.parse(request.expiresAt)))}</p>
      <Refused problem={problem} />
      {missing && !problem && <Wrong>{t.missing(6 - code.length)}</Wrong>}
      {!problem && (
        <p class="elsewhere" role="status">
          <Mark name="dots" />
          <span>{t.waitingFor}</span>
        </p>
      )}
      <div class="bar-do postcard-do">
        {over ? (
          <Slab onPress={onLeave}>{t.again}</Slab>
        ) : (
          <Slab submit waits={busy || code.length < 6} onPress={() => {}}>
            {t.signIn}
          </Slab>
        )}
      </div>
      {!over && (
        <div class="bar-also">
          <Quiet onPress={onLeave}>{t.startAgain}</Quiet>
        </div>
      )}
    </Postcard>
  );
}
