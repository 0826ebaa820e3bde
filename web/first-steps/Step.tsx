import type { ComponentChild } from 'preact';
import { visible } from '#shared/visible.ts';
import { whenIs } from '../app/clock.ts';
import { Title } from '../inquiry/view/Title.tsx';
import { readBrowser } from '../sign-in/device-name.ts';
import { Mark } from '../ui/Mark.tsx';
import { suggestedName } from '../connect/choices.ts';
import { Listening } from '../connect/proof/Listening.tsx';
import { MadeKey, NewKey } from '../connect/NewKey.tsx';
import { Snippets } from '../connect/Snippets.tsx';
import { useConnecting } from '../connect/proof/useConnecting.ts';
import { me } from '../live/session.ts';
import { Icon } from '../ui/Icon.tsx';
import { Space } from '../ui/sentence/Space.tsx';
import { notifications } from '../push/notifications.ts';
import { useSendTest } from '../push/useSendTest.ts';
import { useTurnOn } from '../push/useTurnOn.ts';
import { words as pushWords } from '../push/words.ts';
import { say } from '../ui/language.ts';
import { Button } from '../ui/Button.tsx';
import { SecondDevice } from './SecondDevice.tsx';
import { isDone, type Proof, type Step as OneStep } from './steps.ts';
import { stepWords } from './words.ts';

/** One step: what proved it, or how to get there. */
export function Step({ step, steps }: { step: OneStep; steps: readonly OneStep[] }) {
  const t = stepWords();
  const { name, proof } = step;
  const second = steps.find((one) => one.name === 'second')?.proof?.device;
  const app = steps.find((one) => one.name === 'install')?.proof;
  const ahead: Record<OneStep['name'], () => ComponentChild> = {
    in: () => null,
    notified: () => <NotifiedStep />,
    second: () => <SecondDevice />,
    secondNotified: () => <p>{second ? t.thereSay(visible(second.name)) : t.thereLater}</p>,
    install: () => <InstallStep />,
    inApp: () => <p>{app ? t.inAppNow : t.inAppLater}</p>,
    agent: () => <AgentStep />,
  };
  // Those that wait for another step are not what is to be done now.
  const current = !proof && !(name === 'secondNotified' && !second) && !(name === 'inApp' && !app);
  return (
    <li class={isDone(step) ? 'is-done' : undefined} aria-current={current ? 'step' : undefined}>
      <Mark name={proof ? 'stop' : 'comma'} class={proof || current ? 'own' : ''} />
      <div>
        <h2>
          {proof && <span class="sr">{t.done} </span>}
          {proof ? t.doneTitles[name] : t.titles[name]}
        </h2>
        {proof ? <Proved name={name} proof={proof} /> : ahead[name]()}
      </div>
    </li>
  );
}

function Proved({ name, proof: { at, device, inquiry } }: { name: OneStep['name']; proof: Proof }) {
  const t = stepWords();
  const who = device ? [...new Set([visible(device.name), readBrowser(device.userAgent)])].join(t.comma) : '';
  if (inquiry)
    return (
      <p>
        <b>{t.asked(whenIs(at))}</b>{' '}
        <a class="link" href={`/i/${inquiry.id}`}>
          <Title inquiry={inquiry} />
        </a>
      </p>
    );
  if (name === 'notified') return <p>{t.shownHere(whenIs(at))}</p>;
  return (
    <p>{name === 'secondNotified' || name === 'inApp' ? t.shownThere(who, whenIs(at)) : t.since(who, whenIs(at))}</p>
  );
}

/** What is connected, its key and its settings, until its first question has come. */
function AgentStep() {
  const t = stepWords();
  const connecting = useConnecting();
  const { made, choice, way, make } = connecting;
  return (
    <div class="agent">
      <p>{made ? t.agentKeySay : t.agentSay}</p>
      <Snippets {...connecting} />
      <NewKey another={made !== undefined} suggested={suggestedName(choice, way)} onMade={make} />
      {made && <MadeKey key={made.source.id} made={made} />}
      <Listening {...connecting} />
    </div>
  );
}

/** The three taps by which Beckon comes to the Home Screen, and how the app signs in, whose storage is its own. */
function InstallStep() {
  const t = stepWords();
  return (
    <>
      <ol class="ol">
        <li>
          <span>
            {t.tap} <Icon name="share" /> {t.inBar}
          </span>
        </li>
        <li>
          <span>
            {t.choose} <Icon name="addhome" /> <b>{t.addHome}</b>
            {t.stop}
          </span>
        </li>
        <li>
          <span>{t.openThere}</span>
        </li>
      </ol>
      <p>
        {t.ownStorage} <b class="handle">{visible(me.value?.person.handle ?? 'owner')}</b>
        {t.stop}
        <Space />
        {t.thenAsk}
      </p>
      <p class="elsewhere" role="status">
        <Mark name="dots" />
        <span>
          <b>{t.waitingApp}</b>
          <Space />
          {t.waitingAppSay}
        </span>
      </p>
    </>
  );
}

/** Turns notifications on here and sends the test that proves them. */
function NotifiedStep() {
  const t = stepWords();
  const p = say(pushWords);
  const now = notifications.value;
  const { press, trouble } = useTurnOn();
  const { test, said } = useSendTest();
  if (now === 'unknown') return <p>{t.notifiedSay}</p>;
  if (now !== 'on' && now !== 'off' && now !== 'lost') return <p>{p[now]}</p>;
  const on = now === 'on';
  return (
    <>
      <p>{on ? t.testSay : t.notifiedSay}</p>
      <p role="status">{on ? said : trouble}</p>
      <div class="bar-do">
        <Button look="line" onPress={on ? test : press}>
          {on ? p.test : t.turnOn}
        </Button>
      </div>
    </>
  );
}
