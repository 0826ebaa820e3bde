import './first-steps.css';
import { signal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import { Loading } from '../app/Loading.tsx';
import { Refused } from '../app/form/Wrong.tsx';
import { navigate, route } from '../app/route.ts';
import { changeMe, me } from '../live/session.ts';
import { Head } from '../ui/shell/Head.tsx';
import { Quiet } from '../ui/Button.tsx';
import { nameDevices } from '../devices/names.ts';
import { Step } from './Step.tsx';
import { stepsShown } from './shown.ts';
import { COMMAND_LINE, isDone, type Step as OneStep } from './steps.ts';
import { useSteps, type Seen } from './useSteps.ts';
import { stepWords } from './words.ts';

// Kept while the hub is away: the phone's step itself says that the hub is to be started again.
const opened = signal<OneStep['name'] | undefined>(undefined);

/** The list of first steps; where all were done before it was opened, `Otherwise` stands in its place. */
export function FirstSteps({ Otherwise }: { Otherwise?: () => ComponentChild }) {
  const seen = useSteps();
  const { steps, failed } = seen;
  const known = steps.length > 0;
  const all = known && steps.every(isDone);
  // Only what was open when the list came is worth the words that it is done.
  const doneBefore = useRef<boolean | undefined>(undefined);
  if (known) doneBefore.current ??= all;
  const stand = Otherwise !== undefined && (doneBefore.current === true || (failed && !known));
  useEffect(() => {
    if (doneBefore.current && Otherwise && ofPerson(steps)) void finish('done');
  }, [doneBefore.current]);
  const shown = known && !stand;
  useEffect(() => {
    stepsShown.value = shown;
    return () => void (stepsShown.value = false);
  }, [shown]);
  if (stand) return <Otherwise />;
  return known ? <List seen={seen} all={all} /> : <Loading />;
}

function List({ seen: { steps, devices, open }, all }: { seen: Seen; all: boolean }) {
  const t = stepWords();
  const chosen = opened.value;
  const [problem, setProblem] = useState<Problem | undefined>();
  const close = async () => {
    const refused = ofPerson(steps) || !all ? await finish(all ? 'done' : 'later') : undefined;
    setProblem(refused);
    if (!refused && route.value.page === 'steps') navigate('/', { replace: true });
  };
  const done = steps.filter(isDone).length;
  const left = steps.filter((step) => !isDone(step)).map(({ name }) => name);
  const current = chosen && left.includes(chosen) ? chosen : left[0];
  const waiting = open.find(({ source }) => source.name !== COMMAND_LINE);
  const names = nameDevices(devices);
  const mustInstall = steps.some(({ name }) => name === 'install');
  return (
    <>
      <aside class="side" aria-label={t.title}>
        <Head clauses={[t.head(done, steps.length)]}>
          <p class="lede">{all ? t.allSay : mustInstall ? t.ledeInstall : t.lede}</p>
          <Quiet onPress={() => void close()}>{all ? t.close : t.later}</Quiet>
          <Refused problem={problem} />
        </Head>
      </aside>
      <main class="page" id="open">
        <section class="panel">
          <ol class="todo">
            {steps.map((step, at) => (
              <Step
                key={step.name}
                {...{ step, waiting, names }}
                at={at + 1}
                open={step.name === current}
                onOpen={() => (opened.value = step.name)}
              />
            ))}
          </ol>
        </section>
      </main>
    </>
  );
}

// What an iPhone's browser has to do says nothing of the person's other devices.
function ofPerson(steps: readonly OneStep[]): boolean {
  return !me.value?.person.owner || !steps.some(({ name }) => name === 'install');
}

const finish = (firstSteps: 'later' | 'done') => changeMe({ preferences: { firstSteps } });
