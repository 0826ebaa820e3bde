import './deciders.css';
import '../policies/policies.css';
import { useState } from 'preact/hooks';
import type { Decider, Run } from '#shared/policies/decider.ts';
import type { Problem } from '#shared/problem.ts';
import { visible } from '#shared/visible.ts';
import { Refused, RefusedHere } from '../app/form/Wrong.tsx';
import { me } from '../live/session.ts';
import { SettingsPlaces } from '../settings/SettingsPlaces.tsx';
import { Head } from '../ui/shell/Head.tsx';
import { language } from '../ui/language.ts';
import { Button } from '../ui/Button.tsx';
import { countWord } from '../ui/times.ts';
import { RowAct } from '../app/form/RowAct.tsx';
import { call } from '../live/api.ts';
import { Removal } from '../settings/Removal.tsx';
import { Mark } from '../ui/Mark.tsx';
import { Space } from '../ui/sentence/Space.tsx';
import { EditDecider } from './EditDecider.tsx';
import { type Known, useDeciders } from './useDeciders.ts';
import { deciderWords } from './words.ts';
import { RunShown } from './inquiry/RunShown.tsx';

/** Who may answer in a person's place; the owner makes, tries and removes them. */
export function Deciders() {
  const t = deciderWords();
  const { items, problem, read } = useDeciders();
  const [adding, setAdding] = useState(false);
  const owner = me.value?.person.owner ?? false;
  const count = items?.length;
  // All of it at once: what stood there before the sentence is known would be pushed down by it.
  const known = items !== undefined || problem !== undefined;
  const head = count === undefined ? t.title : t.head(count, countWord(count, language.value));
  return (
    <>
      <aside class="side" aria-label={t.title}>
        <Head clauses={[head.replace(/^./u, (letter) => letter.toUpperCase())]}>
          {known && (
            <>
              <SettingsPlaces here="/deciders" />
              <p class="lede">{owner ? t.lede : t.ownerOnly}</p>
            </>
          )}
          {known && owner && !adding && (
            <div class="bar-do card-do">
              <Button look="line" onPress={() => setAdding(true)}>
                {t.add}
              </Button>
            </div>
          )}
        </Head>
      </aside>
      <main class="page" id="open" aria-busy={known ? undefined : 'true'} hidden={!known}>
        {adding && (
          <section class="panel" aria-label={t.add}>
            <h2>{t.add}</h2>
            <EditDecider
              decider={undefined}
              onDone={() => {
                setAdding(false);
                void read();
              }}
            />
          </section>
        )}
        <section class="panel" aria-label={t.title}>
          <h2 class="sr">{t.title}</h2>
          <RefusedHere problem={problem} />
          {count === 0 && <p class="say day">{t.none}</p>}
          <ul class="rows">
            {items?.map((decider) => (
              <DeciderRow key={decider.id} {...{ decider, owner }} onChanged={() => void read()} />
            ))}
          </ul>
          <p class="say day">{t.never}</p>
        </section>
      </main>
    </>
  );
}

type RowProps = { decider: Known; owner: boolean; onChanged: () => void };

/** One decider: what it is, how long it can be overruled, and for the owner what can be done with it. */
function DeciderRow({ decider, owner, onChanged }: RowProps) {
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
