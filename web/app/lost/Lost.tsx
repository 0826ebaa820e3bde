import { useEffect, useState } from 'preact/hooks';
import { bring, connection } from '../../live/store.ts';
import { Icon } from '../../ui/Icon.tsx';
import { say } from '../../ui/language.ts';
import { Loading } from '../Loading.tsx';
import { words } from '../words.ts';
import { lostWords } from './words.ts';

/** An address that names nothing, or an inquiry that this person cannot read (any more). */
export function Lost({ inquiryId }: { inquiryId?: string }) {
  const t = { ...say(words), ...say(lostWords) };
  const [sought, setSought] = useState(inquiryId === undefined);
  useEffect(() => {
    if (inquiryId === undefined || connection.value === 'connecting') return;
    void bring(inquiryId).then(() => setSought(true));
  }, [inquiryId, connection.value]);
  if (!sought) return <Loading />;
  const [title, more] =
    inquiryId === undefined
      ? [t.lostTitle, t.lostSay]
      : connection.value === 'offline'
        ? [t.unknownTitle, t.unknownSay]
        : [t.goneTitle, t.goneSay];
  return (
    <main class={inquiryId === undefined ? 'page' : 'inquiry'} id="open">
      {inquiryId !== undefined && (
        <nav class="topbar" aria-label={t.toInbox}>
          <a class="quiet" href="/">
            <Icon name="back" />
            {t.inbox}
          </a>
        </nav>
      )}
      <section class="panel">
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
