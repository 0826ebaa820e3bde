import './deciders.css';
import { useState } from 'preact/hooks';
import { RefusedHere } from '../app/form/Wrong.tsx';
import { me } from '../live/session.ts';
import { SettingsPlaces } from '../settings/SettingsPlaces.tsx';
import { Head } from '../ui/shell/Head.tsx';
import { language } from '../ui/language.ts';
import { Button } from '../ui/Button.tsx';
import { countWord } from '../ui/times.ts';
import { DeciderRow } from './DeciderRow.tsx';
import { EditDecider } from './EditDecider.tsx';
import { useDeciders } from './useDeciders.ts';
import { deciderWords } from './words.ts';

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
