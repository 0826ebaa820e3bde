import './deciders.css';
import '../policies/policies.css';
import { useState } from 'preact/hooks';
import type { Decider, Run } from '#shared/policies/decider.ts';
import type { Problem } from '#shared/problem.ts';
import { visible } from '#shared/visible.ts';
import { Refused, RefusedHere } from '../app/form/Wrong.tsx';
import { navigate, route } from '../app/route.ts';
import { Automation } from '../automation/Automation.tsx';
import { Back } from '../automation/Back.tsx';
import { call } from '../live/api.ts';
import { Removal } from '../settings/Removal.tsx';
import { Head } from '../ui/shell/Head.tsx';
import { Quiet } from '../ui/Button.tsx';
import { EditDecider } from './EditDecider.tsx';
import { RunShown } from './inquiry/RunShown.tsx';
import { Served } from './Served.tsx';
import { type Known, useDeciders } from './useDeciders.ts';
import { deciderWords } from './words.ts';

/** Where the owner makes a stand-in, changes it, and says which sources it serves; the fragment says which and what. */
export function Deciders() {
  // Read, so that another address shows another one.
  const [id = '', what] = route.value.page === 'deciders' ? location.hash.slice(1).split('/') : [];
  if (id === '') return <Automation />;
  return id === 'new' ? <Making /> : <One key={id} id={id} serves={what === 'sources'} />;
}

function Making() {
  const t = deciderWords();
  return (
    <>
      <aside class="side" aria-label={t.title}>
        <Head clauses={[t.add]}>
          <Back />
          <p class="lede">{t.lede}</p>
        </Head>
      </aside>
      <main class="page" id="open">
        <section class="panel" aria-label={t.add}>
          <EditDecider
            decider={undefined}
            onCancel={() => navigate('/automation')}
            onSaved={({ id }) => navigate(`/deciders#${id}/sources`)}
          />
        </section>
      </main>
    </>
  );
}

function One({ id, serves }: { id: string; serves: boolean }) {
  const t = deciderWords();
  const { items, problem } = useDeciders();
  const decider = items?.find((one) => one.id === id);
  const name = visible(decider?.name ?? '');
  return (
    <>
      <aside class="side" aria-label={t.title}>
        <Head clauses={[!decider ? t.title : serves ? t.savedFor(name) : name]}>
          <Back />
          <p class="lede">{t.never}</p>
        </Head>
      </aside>
      <main class="page" id="open">
        <RefusedHere problem={problem} />
        {decider && (serves ? <Served decider={decider} deciders={items ?? []} /> : <Changing decider={decider} />)}
      </main>
    </>
  );
}

function Changing({ decider }: { decider: Known }) {
  const t = deciderWords();
  const [removing, setRemoving] = useState(false);
  const test = useTest(decider.id);
  const name = visible(decider.name);
  const leave = () => navigate('/automation');
  return (
    <>
      <section class="panel" aria-label={t.edit}>
        <EditDecider decider={decider as Decider} onCancel={leave} onSaved={leave} />
      </section>
      <section class="panel" aria-labelledby="stand-in-test">
        <div class="kindof">
          <h2 id="stand-in-test">{t.test}</h2>
        </div>
        <div class="fields">
          <Quiet label={t.of(t.test, name)} onPress={() => void test.run()}>
            {t.test}
          </Quiet>{' '}
          <Quiet label={t.of(t.remove, name)} onPress={() => setRemoving(true)}>
            {t.remove}
          </Quiet>
          <div role="status">
            {test.busy && <p>{t.testing}</p>}
            <Refused problem={test.problem} />
            {test.ran && <Tested name={name} run={test.ran} />}
          </div>
        </div>
        {removing && (
          <Removal
            title={t.removeTitle(name)}
            explanation={t.removeSay}
            path={`/v1/deciders/${decider.id}`}
            onClose={() => setRemoving(false)}
            onRemoved={leave}
          />
        )}
      </section>
    </>
  );
}

function Tested({ name, run }: { name: string; run: Run }) {
  const t = deciderWords();
  return (
    <div class="result">
      <p>
        <b>{run.answer ? t.tested(name, visible(run.answer.text ?? '')) : t.untested(name)}</b>
      </p>
      <RunShown run={run} name={name} />
    </div>
  );
}

function useTest(id: string) {
  const [busy, setBusy] = useState(false);
  const [ran, setRan] = useState<Run | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const run = async () => {
    if (busy) return;
    setBusy(true);
    setRan(undefined);
    const reply = await call<Run>('POST', `/v1/deciders/${id}/test`, {}, { timeoutMs: TEST_MS });
    setBusy(false);
    setProblem(reply.problem);
    setRan(reply.ok);
  };
  return { busy, ran, problem, run };
}

// A stand-in has up to two minutes for one answer.
const TEST_MS = 130_000;
