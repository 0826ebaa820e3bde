import { useEffect, useState } from 'preact/hooks';
import { bring, connection } from '../live/store.ts';
import { say } from '../ui/language.ts';
import { words } from './words.ts';

/** An address that names nothing, or a letter that this person cannot read (any more). */
export function Lost({ letter }: { letter?: string }) {
  const t = say(words);
  const [sought, setSought] = useState(letter === undefined);
  useEffect(() => {
    if (letter === undefined || connection.value === 'connecting') return;
    void bring(letter).then(() => setSought(true));
  }, [letter, connection.value]);
  if (!sought) return <main class="letter" id="open" aria-busy="true" aria-label={t.loading} />;
  return (
    <main class={letter === undefined ? 'page' : 'letter'} id="open">
      <section class="sheet">
        <div class="note">
          <h1 class="ask">{letter === undefined ? t.lostTitle : t.goneTitle}</h1>
          <div class="prose">
            <p>{letter === undefined ? t.lostSay : t.goneSay}</p>
          </div>
        </div>
        <div class="reply">
          <a class="quiet" href="/">
            <span class="link">{t.toInbox}</span>
          </a>
        </div>
      </section>
    </main>
  );
}
