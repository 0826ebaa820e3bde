import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import type { NewSourceReply, Source } from '#shared/wire.ts';
import { RefusedHere } from '../app/form/Wrong.tsx';
import { Gates } from '../gates/Gates.tsx';
import { call } from '../live/api.ts';
import { me } from '../live/session.ts';
import { Head } from '../ui/desk/Head.tsx';
import { say } from '../ui/language.ts';
import { CHOICES } from './choices.ts';
import { FirstInquiry, MadeKey } from './MadeKey.tsx';
import { NewKey } from './NewKey.tsx';
import { Snippets } from './Snippets.tsx';
import { SourceRow } from './SourceRow.tsx';
import { words } from './words.ts';

/** Where a source gets its key, and what to do with it. */
export function Connect() {
  const t = say(words);
  const [sources, setSources] = useState<Source[] | undefined>();
  const [made, setMade] = useState<NewSourceReply | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const [choice, setChoice] = useState(CHOICES[0]);
  const [wayId, setWayId] = useState('');
  const way = choice.ways.find(({ id }) => id === wayId) ?? choice.ways[0];
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
              suggested={choice.name ?? ''}
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
          {made && <MadeKey key={made.source.id} made={made} />}
          <Snippets
            choice={choice}
            way={way}
            apiKey={made?.key}
            onPick={(picked, id) => {
              setChoice(picked);
              setWayId(id);
            }}
          />
          {made && <FirstInquiry key={made.source.id} sourceId={made.source.id} />}
        </section>
        {owner && <Sources sources={sources ?? []} none={sources?.length === 0} onRemoved={() => void read()} />}
        {owner && <Gates />}
      </main>
    </>
  );
}

function Sources({ sources, none, onRemoved }: { sources: Source[]; none: boolean; onRemoved: () => void }) {
  const t = say(words);
  return (
    <section class="sheet">
      <h2>{t.sources}</h2>
      {none && <p class="say">{t.none}</p>}
      <ul class="rows">
        {sources.map((source) => (
          <SourceRow key={source.id} source={source} onRemoved={onRemoved} />
        ))}
      </ul>
    </section>
  );
}
