import { useEffect, useState } from 'preact/hooks';
import { bring, connection } from '../../live/store.ts';
import { Icon } from '../../ui/Icon.tsx';
import { say } from '../../ui/language.ts';
import { Awaited } from '../Awaited.tsx';
import { words } from '../words.ts';
import { lostWords } from './words.ts';

/** An address that names nothing, or a letter that this person cannot read (any more). */
export function Lost({ letter }: { letter?: string }) {
  const t = { ...say(words), ...say(lostWords) };
  const [sought, setSought] = useState(letter === undefined);
  useEffect(() => {
    if (letter === undefined || connection.value === 'connecting') return;
    void bring(letter).then(() => setSought(true));
  }, [letter, connection.value]);
  if (!sought) return <Awaited />;
  const [title, more] =
    letter === undefined
      ? [t.lostTitle, t.lostSay]
      : connection.value === 'offline'
        ? [t.unknownTitle, t.unknownSay]
        : [t.goneTitle, t.goneSay];
  return (
    <main class={letter === undefined ? 'page' : 'letter'} id="open">
      {letter !== undefined && (
        <nav class="topbar" aria-label={t.toInbox}>
          <a class="quiet" href="/">
            <Icon name="back" />
            {t.inbox}
          </a>
        </nav>
      )}
      <section class="sheet">
        <div class="note">
          <h1 class="ask">{title}</h1>
          <div class="prose">
            <p>{more}</p>
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
