import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import type { Source } from '#shared/wire.ts';
import { RefusedHere } from '../app/form/Wrong.tsx';
import { Gates } from '../gates/Gates.tsx';
import { useDeciders } from '../deciders/useDeciders.ts';
import { call } from '../live/api.ts';
import { me } from '../live/session.ts';
import { Head } from '../ui/shell/Head.tsx';
import { say } from '../ui/language.ts';
import { SourceRow } from './SourceRow.tsx';
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
