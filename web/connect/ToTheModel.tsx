import type { Language } from '#shared/texts/language.ts';
import { useState } from 'preact/hooks';
import { FRAGMENTS, TO_THE_MODEL } from './model-texts.ts';
import { Head } from '../ui/shell/Head.tsx';
import { language, say } from '../ui/language.ts';
import { CopyLine } from './CopyLine.tsx';
import { Tabs } from './Tabs.tsx';
import { Under } from './Under.tsx';
import { words } from './words.ts';

/** What an agent's own instructions can say about asking, to be copied. */
export function ToTheModel() {
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
