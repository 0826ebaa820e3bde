import '../policies/policies.css';
import { useState } from 'preact/hooks';
import type { Decider, Run } from '#shared/policies/decider.ts';
import type { Problem } from '#shared/problem.ts';
import { visible } from '#shared/visible.ts';
import { RowAct } from '../app/form/RowAct.tsx';
import { Refused } from '../app/form/Wrong.tsx';
import { call } from '../live/api.ts';
import { Removal } from '../settings/Removal.tsx';
import { Mark } from '../ui/Mark.tsx';
import { EditDecider } from './EditDecider.tsx';
import { RunShown } from './inquiry/RunShown.tsx';
import type { Known } from './useDeciders.ts';
import { deciderWords } from './words.ts';
import { Space } from '../ui/sentence/Space.tsx';

type RowProps = { decider: Known; owner: boolean; onChanged: () => void };

/** One decider: what it is, how long it can be overruled, and for the owner what can be done with it. */
export function DeciderRow({ decider, owner, onChanged }: RowProps) {
  const t = deciderWords();
  const [open, setOpen] = useState<'edit' | 'removal' | undefined>();
  const test = useTest(decider.id);
  const name = visible(decider.name);
  const act = (word: string, onPress: () => void) => <RowAct word={word} about={t.of(word, name)} onPress={onPress} />;
  const close = () => setOpen(undefined);
  return (
    <li>
      <Mark name="comma" />
      <div>
        <h3>
          <bdi>{name}</bdi>
        </h3>
        <p>
          {decider.url !== undefined &&
            t.is(visible(decider.model ?? decider.tool ?? ''), visible(URL.parse(decider.url)?.host ?? ''))}
          <Space />
          {t.holds(decider.holdSeconds)}
        </p>
      </div>
      {owner && open !== 'edit' && (
        <div class="acts">
          {act(t.test, () => void test.run())}
          {act(t.edit, () => setOpen('edit'))}
          {act(t.remove, () => setOpen('removal'))}
        </div>
      )}
      <div class="row-open" role="status" hidden={open === 'edit'}>
        {test.busy && <p>{t.testing}</p>}
        <Refused problem={test.problem} />
        {test.ran && <Tested name={name} run={test.ran} />}
      </div>
      {open === 'edit' && (
        <div class="row-open">
          <EditDecider
            decider={decider as Decider}
            onDone={() => {
              close();
              onChanged();
            }}
          />
        </div>
      )}
      {open === 'removal' && (
        <Removal
          title={t.removeTitle(name)}
          explanation={t.removeSay}
          path={`/v1/deciders/${decider.id}`}
          onClose={close}
          onRemoved={onChanged}
        />
      )}
    </li>
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

// A decider has up to two minutes for one answer.
const TEST_MS = 130_000;
