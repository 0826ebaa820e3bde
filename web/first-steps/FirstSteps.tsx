import './first-steps.css';
import type { ComponentChild } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import type { Me } from '#shared/wire.ts';
import { Loading } from '../app/Loading.tsx';
import { Refused } from '../app/form/Wrong.tsx';
import { navigate, route } from '../app/route.ts';
import { call } from '../live/api.ts';
import { keepMe, me } from '../live/session.ts';
import { Head } from '../ui/shell/Head.tsx';
import { language } from '../ui/language.ts';
import { Quiet } from '../ui/Button.tsx';
import { countWord } from '../ui/times.ts';
import { Step } from './Step.tsx';
import { stepsShown } from './shown.ts';
import { isDone, type Step as OneStep } from './steps.ts';
import { useSteps } from './useSteps.ts';
import { stepWords } from './words.ts';

/** The list of first steps; where all were done before it was opened, `Otherwise` stands in its place. */
export function FirstSteps({ Otherwise }: { Otherwise?: () => ComponentChild }) {
  const { steps, failed } = useSteps();
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
  return known ? <List steps={steps} all={all} /> : <Loading />;
}

function List({ steps, all }: { steps: readonly OneStep[]; all: boolean }) {
  const t = stepWords();
  const [problem, setProblem] = useState<Problem | undefined>();
  const close = async () => {
    const refused = ofPerson(steps) || !all ? await finish(all ? 'done' : 'later') : undefined;
    setProblem(refused);
    if (!refused && route.value.page === 'steps') navigate('/', { replace: true });
  };
  const count = (many: number) => countWord(many, language.value);
  const done = steps.filter(isDone).length;
  const mustInstall = steps.some(({ name }) => name === 'install');
  return (
    <>
      <aside class="side" aria-label={t.title}>
        <Head clauses={[t.head(count(done), count(steps.length), mustInstall ? thisDevice() : '')]}>
          <p class="lede">{all ? t.allSay : mustInstall ? t.ledeInstall : t.lede}</p>
          <Quiet onPress={() => void close()}>{all ? t.close : t.later}</Quiet>
          <Refused problem={problem} />
        </Head>
      </aside>
      <main class="page" id="open">
        <section class="panel">
          <ol class="checks">
            {steps.map((step) => (
              <Step key={step.name} step={step} steps={steps} />
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

async function finish(firstSteps: 'later' | 'done'): Promise<Problem | undefined> {
  const reply = await call<Me>('PATCH', '/v1/people/me', { preferences: { firstSteps } });
  if (reply.ok) await keepMe(reply.ok);
  return reply.problem;
}

function thisDevice(): string {
  return /iPad|Macintosh/.test(navigator.userAgent) ? 'iPad' : 'iPhone';
}
