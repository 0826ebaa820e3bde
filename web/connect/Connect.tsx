import { useEffect, useState } from 'preact/hooks';
import { visible } from '#shared/visible.ts';
import type { Source } from '#shared/wire.ts';
import type { Language } from '#shared/texts/language.ts';
import { navigate, route } from '../app/route.ts';
import { call } from '../live/api.ts';
import { me } from '../live/session.ts';
import { Head } from '../ui/shell/Head.tsx';
import { language, say } from '../ui/language.ts';
import { Button, Quiet } from '../ui/Button.tsx';
import { TimeOuts } from './source/TimeOuts.tsx';
import { Snippets } from './Snippets.tsx';
import { Under } from './Under.tsx';
import { useConnecting } from './proof/useConnecting.ts';
import { words } from './words.ts';
import { FRAGMENTS, TO_THE_MODEL } from './model-texts.ts';
import { CopyLine } from './CopyLine.tsx';
import { Tabs } from './Tabs.tsx';

/** What stands under Connect. */
export function Connecting() {
  const at = route.value;
  return at.page === 'connect' && at.id !== undefined ? <ToTheModel /> : <Connect />;
}

/** Where a source gets its key, and what to do with it. */
function Connect() {
  const t = say(words);
  const connecting = useConnecting();
  const { source, first, make } = connecting;
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
          <p class="lede">{source && first ? t.connected(visible(source.name)) : t.lede}</p>
          {first ? (
            <div class="bar-do card-do">
              <Button onPress={() => navigate(`/i/${first.id}`)}>{t.openQuestion}</Button>
              <Quiet onPress={() => make(undefined)}>{t.another}</Quiet>
            </div>
          ) : (
            !owner && <p class="lede">{t.ownerOnly}</p>
          )}
        </Head>
      </aside>
      <main class="page" id="open">
        <section class="panel">
          {sources.map((one) => (
            <TimeOuts key={one.id} source={one} named />
          ))}
          <Snippets connecting={connecting} mayMake={owner && !first} />
        </section>
      </main>
    </>
  );
}

/** What an agent's own instructions can say about asking, to be copied. */
function ToTheModel() {
  const t = say(words);
  const [chosen, choose] = useState<Language | undefined>();
  const shown = chosen ?? language.value;
  return (
    <>
      <aside class="side" aria-label={t.model}>
        <Head clauses={[t.model]}>
          <Under here="/connect" />
          <p class="lede">{t.modelSay}</p>
        </Head>
      </aside>
      <main class="page" id="open">
        <section class="panel">
          <div class="codehead">
            <Tabs
              label={t.inLanguage}
              name="language"
              look="seg"
              value={shown}
              options={[
                ['en', 'English'],
                ['zh', '中文'],
              ]}
              onPick={(picked) => choose(picked as Language)}
            />
          </div>
          {FRAGMENTS.map((name) => (
            <div key={name} lang={shown === 'zh' ? 'zh-Hans' : 'en'}>
              <h2 class="day" lang={language.value === 'zh' ? 'zh-Hans' : 'en'}>
                {t.fragments[name]}
              </h2>
              <CopyLine key={shown} text={TO_THE_MODEL[shown][name]} label={t.copyFragment(t.fragments[name])} />
            </div>
          ))}
        </section>
      </main>
    </>
  );
}
