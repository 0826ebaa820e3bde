import { useEffect, useState } from 'preact/hooks';
import type { NewSourceReply, Source } from '#shared/wire.ts';
import { call } from '../live/api.ts';
import { me } from '../live/session.ts';
import { Head } from '../ui/desk/Head.tsx';
import { say } from '../ui/language.ts';
import { CHOICES } from './choices.ts';
import { FirstInquiry, MadeKey } from './MadeKey.tsx';
import { NewKey } from './NewKey.tsx';
import { TimeOuts } from './source/TimeOuts.tsx';
import { Snippets } from './Snippets.tsx';
import { Under } from './Under.tsx';
import { words } from './words.ts';

/** Where a source gets its key, and what to do with it. */
export function Connect() {
  const t = say(words);
  const [made, setMade] = useState<NewSourceReply | undefined>();
  const [choice, setChoice] = useState(CHOICES[0]);
  const [wayId, setWayId] = useState('');
  const way = choice.ways.find(({ id }) => id === wayId) ?? choice.ways[0];
  const owner = me.value?.person.owner ?? true;
  const [sources, setSources] = useState<Source[]>([]);
  useEffect(() => {
    if (owner) void call<{ items: Source[] }>('GET', '/v1/sources').then(({ ok }) => ok && setSources(ok.items));
  }, [owner]);
  return (
    <>
      <aside class="side" aria-label={t.title}>
        <Head clauses={[t.head]}>
          <Under here="/connect" />
          <p class="lede">{t.lede}</p>
          {owner ? (
            <NewKey another={made !== undefined} suggested={choice.name ?? ''} onMade={setMade} />
          ) : (
            <p class="lede">{t.ownerOnly}</p>
          )}
        </Head>
      </aside>
      <main class="page" id="open">
        <section class="sheet">
          {sources.map((source) => (
            <TimeOuts key={source.id} source={source} named />
          ))}
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
      </main>
    </>
  );
}
