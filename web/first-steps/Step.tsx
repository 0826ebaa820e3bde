import type { ComponentChild } from 'preact';
import { visible } from '#shared/visible.ts';
import { whenIs } from '../app/clock.ts';
import { Title } from '../inquiry/view/Title.tsx';
import { browserOf } from '../sign-in/device-name.ts';
import { Mark } from '../ui/Mark.tsx';
import { AgentStep } from './AgentStep.tsx';
import { InstallStep } from './InstallStep.tsx';
import { NotifiedStep } from './NotifiedStep.tsx';
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
  const who = device ? [...new Set([visible(device.name), browserOf(device.userAgent)])].join(t.comma) : '';
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
