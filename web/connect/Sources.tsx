import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import type { Source } from '#shared/wire.ts';
import type { DeciderName } from '#shared/policies/decider.ts';
import { visible } from '#shared/visible.ts';
import { Refused, RefusedHere } from '../app/form/Wrong.tsx';
import { Gates } from '../gates/Gates.tsx';
import { useDeciders } from '../deciders/useDeciders.ts';
import { call } from '../live/api.ts';
import { me } from '../live/session.ts';
import { Head } from '../ui/shell/Head.tsx';
import { say } from '../ui/language.ts';
import { whenIs } from '../app/clock.ts';
import { RowAct } from '../app/form/RowAct.tsx';
import { actsFor, SourceDecider } from '../deciders/SourceDecider.tsx';
import { deciderWords } from '../deciders/words.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Button } from '../ui/Button.tsx';
import { Space } from '../ui/sentence/Space.tsx';
import { Under } from './Under.tsx';
import { words } from './words.ts';

/** Whatever holds a key, and what stands before MCP servers. */
export function Sources() {
  const t = say(words);
  const [sources, setSources] = useState<Source[] | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const deciders = useDeciders().items ?? [];
  const owner = me.value?.person.owner ?? true;
  const read = async () => {
    const reply = await call<{ items: Source[] }>('GET', '/v1/sources');
    setProblem(reply.problem);
    if (reply.ok) setSources(reply.ok.items);
  };
  useEffect(() => {
    if (owner) void read();
  }, [owner]);
  return (
    <>
      <aside class="side" aria-label={t.sources}>
        <Head clauses={[t.sources]}>
          <Under here="/sources" />
          <p class="lede">{owner ? t.lede : t.ownerOnly}</p>
        </Head>
      </aside>
      <main class="page" id="open">
        {owner && (
          <section class="panel">
            <h2 class="sr">{t.sources}</h2>
            <RefusedHere problem={problem} />
            {sources?.length === 0 && <p class="say day">{t.none}</p>}
            <ul class="rows">
              {(sources ?? []).map((source) => (
                <SourceRow key={source.id} {...{ source, deciders }} onChanged={() => void read()} />
              ))}
            </ul>
          </section>
        )}
        {(sources ?? problem) && <Gates />}
      </main>
    </>
  );
}

type SourceRowProps = { source: Source; deciders: DeciderName[]; onChanged: () => void };

/** One source: whom it may ask, when it last did, who may decide for it, and the end of its key. */
function SourceRow({ source, deciders, onChanged }: SourceRowProps) {
  const t = say(words);
  const d = deciderWords();
  const [removing, setRemoving] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const name = visible(source.name);
  const remove = async () => {
    const reply = await call('DELETE', `/v1/sources/${source.id}`);
    if (reply.problem && reply.problem.status !== 404) return setProblem(reply.problem);
    setRemoving(false);
    onChanged();
  };
  return (
    <li>
      <Icon name="key" />
      <div>
        <h3>
          <a class="link" href={`/sources/${source.id}`}>
            <bdi>{name}</bdi>
          </a>
        </h3>
        <p>
          {source.mayAsk.includes('*') ? t.mayAskAll : t.mayAskList(source.mayAsk.join(', ') || source.owner)}
          <Space />
          {source.usedAt ? t.used(whenIs(source.usedAt)) : t.unused}
          <Space />
          {actsFor(source, deciders)}
        </p>
      </div>
      <div class="acts">
        {deciders.length > 0 && (
          <RowAct word={d.ofSource} about={d.of(d.ofSource, name)} onPress={() => setChoosing(true)} />
        )}
        <RowAct word={t.remove} about={t.removeOf(name)} onPress={() => setRemoving(true)} />
      </div>
      {choosing && <SourceDecider {...{ source, deciders, onChanged }} onClose={() => setChoosing(false)} />}
      {removing && (
        <Dialog title={t.removeTitle(name)} onClose={() => setRemoving(false)}>
          <p class="dim">{t.removeSay}</p>
          <Refused problem={problem} />
          <div class="bar-do">
            <Button look="line" onPress={() => setRemoving(false)}>
              {t.keepIt}
            </Button>
            <Button onPress={() => void remove()}>{t.remove}</Button>
          </div>
        </Dialog>
      )}
    </li>
  );
}
