import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import type { NewSourceReply, Source } from '#shared/wire.ts';
import { RefusedHere } from '../app/form/Wrong.tsx';
import { Gates } from '../gates/Gates.tsx';
import { call } from '../live/api.ts';
import { me } from '../live/session.ts';
import { Head } from '../ui/desk/Head.tsx';
import { say } from '../ui/language.ts';
import { KeySteps } from './KeySteps.tsx';
import { NewKey } from './NewKey.tsx';
import { SourceRow } from './SourceRow.tsx';
import { words } from './words.ts';

/** Where a source gets its key, and what to do with it. */
export function Connect() {
  const t = say(words);
  const [sources, setSources] = useState<Source[] | undefined>();
  const [made, setMade] = useState<NewSourceReply | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
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
      <aside class="side" aria-label={t.title}>
        <Head clauses={[t.head]}>
          <p class="lede">{t.lede}</p>
          {owner ? (
            <NewKey
              another={made !== undefined}
              onMade={(reply) => {
                setMade(reply);
                void read();
              }}
            />
          ) : (
            <p class="lede">{t.ownerOnly}</p>
          )}
        </Head>
      </aside>
      <main class="page" id="open">
        {problem && owner && (
          <section class="sheet">
            <RefusedHere problem={problem} />
          </section>
        )}
        <section class="sheet">
          <KeySteps key={made?.source.id ?? ''} made={made} />
        </section>
        {owner && (
          <section class="sheet">
            <h2>{t.sources}</h2>
            {sources?.length === 0 && <p class="say">{t.none}</p>}
            <ul class="rows">
              {(sources ?? []).map((source) => (
                <SourceRow key={source.id} source={source} onRemoved={() => void read()} />
              ))}
            </ul>
          </section>
        )}
        {owner && <Gates />}
      </main>
    </>
  );
}
