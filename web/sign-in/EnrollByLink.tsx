import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import { visible } from '#shared/visible.ts';
import type { Person } from '#shared/wire.ts';
import type { Claimed, Enrolled } from '#shared/schemas/enrolments.ts';
import { SignInCard } from '../app/SignInCard.tsx';
import { navigate, route } from '../app/route.ts';
import { Refused, Wrong } from '../app/form/Wrong.tsx';
import { call, isPassing } from '../live/api.ts';
import { beginSession, finishJoining, joining, me, readMe, session, stayJoining } from '../live/session.ts';
import { keepStored, recall } from '../live/stored.ts';
import { Field } from '../ui/Field.tsx';
import { say } from '../ui/language.ts';
import { Mark } from '../ui/Mark.tsx';
import { Quiet, Button } from '../ui/Button.tsx';
import { guessDeviceName } from './device-name.ts';
import { words } from './words.ts';

const POLL_MS = 1500;

/** Kept with the secret of the link that was opened, so that a page that was loaded again shows the same number. */
const CLAIMED = 'claimed';
type SavedClaim = { secret: string; claimed: Claimed };

type Step =
  | { at: 'already' }
  | { at: 'ready'; problem?: Problem }
  | { at: 'claimed'; claimed: Claimed }
  | { at: 'named'; person: Person };

/** The way in by link: one tap redeems the secret in the fragment, then a number to pick, or a name to give. */
export function EnrollByLink() {
  const t = say(words);
  const at = route.value;
  const [secret, setSecret] = useState(at.page === 'enroll' ? at.secret : '');
  // Kept when the address goes on to the inbox, replaced when another link is pasted over this one.
  useEffect(() => {
    if (at.page === 'enroll') setSecret(at.secret);
  }, [at]);
  const [deviceName, setDeviceName] = useState(() => guessDeviceName(navigator.userAgent, navigator.maxTouchPoints));
  const [step, setStep] = useState<Step>(firstStep);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (step.at !== 'ready') return;
    void recall<SavedClaim>(CLAIMED).then((saved) => {
      if (saved?.secret === secret && Date.parse(saved.claimed.expiresAt) > Date.now())
        setStep({ at: 'claimed', claimed: saved.claimed });
    });
  }, []);

  const arrive = async (enrolled: Enrolled) => {
    joining.value = true;
    navigate('/', { replace: true });
    await keepStored(CLAIMED, undefined);
    if (isUnnamed(enrolled.person)) await stayJoining();
    await beginSession(enrolled);
    if (isUnnamed(enrolled.person)) setStep({ at: 'named', person: enrolled.person });
    else await finishJoining();
  };
  const redeem = async () => {
    if (busy || secret === '' || deviceName.trim() === '') return;
    setBusy(true);
    const reply = await call<Enrolled | Claimed>('POST', '/v1/enrolments/redeem', {
      secret,
      deviceName: deviceName.trim(),
    });
    setBusy(false);
    if (reply.problem) setStep({ at: 'ready', problem: reply.problem });
    else if ('claim' in reply.ok) {
      await keepStored(CLAIMED, { secret, claimed: reply.ok } satisfies SavedClaim);
      setStep({ at: 'claimed', claimed: reply.ok });
    } else await arrive(reply.ok);
  };

  if (step.at === 'already') return <Already onUse={() => setStep({ at: 'ready' })} />;
  if (step.at === 'claimed')
    return (
      <ShowNumber
        claimed={step.claimed}
        onIn={(enrolled) => void arrive(enrolled)}
        onOver={(problem) => {
          void keepStored(CLAIMED, undefined);
          setStep({ at: 'ready', problem });
        }}
      />
    );
  if (step.at === 'named') return <FirstName person={step.person} />;
  return (
    <SignInCard title={t.linkTitle} lede={t.linkLede} onSubmit={() => void redeem()}>
      <Field label={t.device} value={deviceName} onWrite={setDeviceName} maxLength={80} required name="device" />
      {secret === '' && <Wrong>{t.noSecret}</Wrong>}
      <Refused problem={step.problem} />
      <div class="bar-do card-do">
        <Button submit waits={busy || secret === ''} cap="↵" onPress={() => {}}>
          {t.begin}
        </Button>
      </div>
    </SignInCard>
  );
}

function Already({ onUse }: { onUse: () => void }) {
  const t = say(words);
  return (
    <SignInCard title={t.alreadyTitle} lede={t.alreadyLede(visible(me.value?.person.name ?? '…'))}>
      <div class="bar-do">
        <Button onPress={() => navigate('/', { replace: true })}>{t.toInbox}</Button>
      </div>
      <div class="bar-also">
        <Quiet onPress={onUse}>{t.useAnyway}</Quiet>
      </div>
    </SignInCard>
  );
}

function ShowNumber({
  claimed,
  onIn,
  onOver,
}: {
  claimed: Claimed;
  onIn: (enrolled: Enrolled) => void;
  onOver: (problem: Problem) => void;
}) {
  const t = say(words);
  const { enrolmentId, claim, number } = claimed;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const ask = async () => {
      const reply = await call<Enrolled | Claimed>('POST', '/v1/enrolments/redeem', { enrolmentId, claim });
      if (reply.ok && 'accessToken' in reply.ok) return onIn(reply.ok);
      if (reply.problem && !isPassing(reply.problem)) return onOver(reply.problem);
      timer = setTimeout(() => void ask(), POLL_MS);
    };
    timer = setTimeout(() => void ask(), POLL_MS);
    return () => clearTimeout(timer);
  }, [enrolmentId, claim]);
  return (
    <SignInCard title={t.numberTitle} lede={t.numberLede}>
      <p class="postcode postcode--number" role="img" aria-label={`${t.number} ${number}`}>
        {number.split('').map((digit, at) => (
          <i key={at}>{digit}</i>
        ))}
      </p>
      <p class="elsewhere" role="status">
        <Mark name="dots" />
        <span>{t.waitingForPick}</span>
      </p>
    </SignInCard>
  );
}

function FirstName({ person }: { person: Person }) {
  const t = say(words);
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<Problem | undefined>();
  const go = async () => {
    const given = name.trim();
    if (given !== '' && given !== person.name) {
      const reply = await call('PATCH', '/v1/people/me', { name: given });
      if (reply.problem) return setProblem(reply.problem);
      await readMe();
    }
    await finishJoining();
  };
  return (
    <SignInCard title={t.firstTitle} lede={t.firstLede} onSubmit={() => void go()}>
      <Field
        label={t.name}
        value={name}
        onWrite={setName}
        autocomplete="nickname"
        maxLength={80}
        name="name"
        placeholder={person.name}
        autoFocus
      />
      <Refused problem={problem} />
      <div class="bar-do card-do">
        <Button submit cap="↵" onPress={() => {}}>
          {t.continue}
        </Button>
      </div>
    </SignInCard>
  );
}

// A page that was loaded again while it asked for a name asks for it again.
function firstStep(): Step {
  if (session.value.state !== 'in') return { at: 'ready' };
  return joining.value && me.value ? { at: 'named', person: me.value.person } : { at: 'already' };
}

// Whom nobody has named is called by the handle; the first person of a hub is called "Owner".
function isUnnamed({ name, handle }: Person): boolean {
  return name === handle || (name === 'Owner' && handle === 'owner');
}
