import type { ComponentChild } from 'preact';
import { visible } from '#shared/visible.ts';
import { whenIs } from '../app/clock.ts';
import { Snippets } from '../connect/Snippets.tsx';
import { useConnecting } from '../connect/proof/useConnecting.ts';
import { Needs } from '../devices/Needs.tsx';
import { Title } from '../inquiry/view/Title.tsx';
import { me } from '../live/session.ts';
import { notifications } from '../push/notifications.ts';
import { useSendTest } from '../push/useSendTest.ts';
import { useTurnOn } from '../push/useTurnOn.ts';
import { words as pushWords } from '../push/words.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { say } from '../ui/language.ts';
import { Mark } from '../ui/Mark.tsx';
import { Space } from '../ui/sentence/Space.tsx';
import { SecondDevice } from './SecondDevice.tsx';
import type { Known, Step as OneStep } from './steps.ts';
import { stepWords } from './words.ts';

type StepProps = {
  step: OneStep;
  /** Its place in the list, from 1. */
  at: number;
  open: boolean;
  /** The first question that awaits an answer, if there is one. */
  waiting: Known['asked'][number] | undefined;
  /** What each device is called, by its id. */
  names: Record<string, string>;
  onOpen: () => void;
};

/** One step as a line: done with a tick, open with what is to be done, else with its number. */
export function Step({ step: { name, proof }, at, open, waiting, names, onOpen }: StepProps) {
  const t = stepWords();
  if (proof) {
    const { device, inquiry } = proof;
    const who = inquiry ? visible(inquiry.source.name) : device ? (names[device.id] ?? '') : '';
    return (
      <li class="is-done">
        <div class="todo-head">
          <Mark name="tick" />
          <h2>
            <span class="sr">{t.done} </span>
            {t.doneTitles[name](who)}
          </h2>
          <small>{whenIs(proof.at)}</small>
        </div>
      </li>
    );
  }
  const bodies: Record<OneStep['name'], () => ComponentChild> = {
    in: () => null,
    agent: () => <AgentStep />,
    tested: () => <TestedStep waiting={waiting} />,
    second: () => <SecondDevice />,
    notified: () => <NotifiedStep />,
    install: () => <InstallStep />,
    inApp: () => <p>{t.inAppSay}</p>,
  };
  return (
    <li aria-current={open ? 'step' : undefined}>
      <h2>
        <button type="button" class="todo-head" aria-expanded={open} onClick={onOpen}>
          {open ? <Mark name="comma" class="own" /> : <span class="num">{at}</span>}
          <span>{t.titles[name]}</span>
        </button>
      </h2>
      {open && <div class="todo-in">{bodies[name]()}</div>}
    </li>
  );
}

/** What is connected, its key and its settings, until its first question has come. */
function AgentStep() {
  const connecting = useConnecting();
  return (
    <div class="agent">
      <Snippets connecting={connecting} />
    </div>
  );
}

/** The agent's question, to be opened and answered on this page. */
function TestedStep({ waiting }: { waiting: StepProps['waiting'] }) {
  const t = stepWords();
  if (!waiting) return <p>{t.testedLater}</p>;
  return (
    <p>
      <b>{visible(waiting.source.name)}</b>
      <Space />
      <a class="link" href={`/i/${waiting.id}`}>
        <Title inquiry={waiting} />
      </a>
    </p>
  );
}

/** The three taps by which Beckon comes to the Home Screen, and how the app signs in, whose storage is its own. */
function InstallStep() {
  const t = stepWords();
  // Without https an app on the Home Screen gets no notifications either.
  if (!isSecureContext) return <Needs />;
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
          {t.ticksItself}
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
  if (now === 'insecure') return <Needs />;
  if (now === 'unknown') return <p>{t.notifiedSay}</p>;
  if (now !== 'on' && now !== 'off' && now !== 'lost') return <p>{p[now]}</p>;
  const on = now === 'on';
  return (
    <>
      <p>{t.notifiedSay}</p>
      {me.value?.person.owner && <p>{t.onBoth}</p>}
      <p role="status">{on ? said : trouble}</p>
      <div class="bar-do">
        <Button look="line" onPress={on ? test : press}>
          {on ? p.test : t.turnOn}
        </Button>
      </div>
    </>
  );
}
