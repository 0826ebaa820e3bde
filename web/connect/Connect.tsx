import { useEffect, useState } from 'preact/hooks';
import { visible } from '#shared/visible.ts';
import type { Source } from '#shared/wire.ts';
import { navigate } from '../app/route.ts';
import { call } from '../live/api.ts';
import { me } from '../live/session.ts';
import { Head } from '../ui/shell/Head.tsx';
import { say } from '../ui/language.ts';
import { Quiet, Button } from '../ui/Button.tsx';
import { suggestedName } from './choices.ts';
import { Listening } from './proof/Listening.tsx';
import { MadeKey } from './MadeKey.tsx';
import { NewKey } from './NewKey.tsx';
import { TimeOuts } from './source/TimeOuts.tsx';
import { Snippets } from './Snippets.tsx';
import { Under } from './Under.tsx';
import { useConnecting } from './proof/useConnecting.ts';
import { words } from './words.ts';

/** Where a source gets its key, and what to do with it. */
export function Connect() {
  const t = say(words);
  const connecting = useConnecting();
  const { choice, way, made, first, make } = connecting;
  const owner = me.value?.person.owner ?? true;
  const [sources, setSources] = useState<Source[]>([]);
  useEffect(() => {
    if (owner) void call<{ items: Source[] }>('GET', '/v1/sources').then(({ ok }) => ok && setSources(ok.items));
  }, [owner]);
  return (
    <>
      <aside class="side" aria-label={t.title}>
        <Head clauses={[first ? t.headArrived : t.head]}>
          <Under here="/connect" />
          <p class="lede">{made && first ? t.connected(visible(made.source.name)) : t.lede}</p>
          {first ? (
            <div class="bar-do card-do">
              <Button onPress={() => navigate(`/i/${first.id}`)}>{t.openQuestion}</Button>
              <Quiet onPress={() => make(undefined)}>{t.another}</Quiet>
            </div>
          ) : owner ? (
            <NewKey another={made !== undefined} suggested={suggestedName(choice, way)} onMade={make} />
          ) : (
            <p class="lede">{t.ownerOnly}</p>
          )}
        </Head>
      </aside>
      <main class="page" id="open">
        <section class="panel">
          {sources.map((source) => (
            <TimeOuts key={source.id} source={source} named />
          ))}
          {made && <MadeKey key={made.source.id} made={made} />}
          <Snippets {...connecting} />
          {made && <Listening {...connecting} />}
        </section>
      </main>
    </>
  );
}
