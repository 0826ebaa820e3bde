import { useEffect, useState } from 'preact/hooks';
import { bring, connection } from '../live/store.ts';
import { Icon } from '../ui/Icon.tsx';
import { say } from '../ui/language.ts';
import { Loading } from './Loading.tsx';
import { words } from './words.ts';

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

const en = {
  lostTitle: 'Page not found.',
  lostSay: 'Beckon has no page at this address.',
  goneTitle: 'Question not found.',
  goneSay: 'It was not asked of you, or was erased some time after it ended.',
  unknownTitle: 'This question is not on this device.',
  unknownSay: 'You are offline. It is shown when the connection is back.',
};

const zh: typeof en = {
  lostTitle: '找不到页面。',
  lostSay: '这个地址不是 Beckon 的页面。',
  goneTitle: '找不到这个问题。',
  goneSay: '它不是问你的，或者结束一段时间后已经清除。',
  unknownTitle: '这台设备上没有这个问题。',
  unknownSay: '你已离线。连接恢复后会显示。',
};

const lostWords = { en, zh };
