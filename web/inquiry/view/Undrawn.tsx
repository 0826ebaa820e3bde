import { useEffect } from 'preact/hooks';
import { visible } from '#shared/visible.ts';
import { inboxWords } from '../../inbox/words.ts';
import type { InquiryEntry } from '../../live/entry.ts';
import { given } from '../../live/inquiries.ts';
import { answer, opened } from '../../live/store.ts';
import { lazy, optional } from '../../app/lazy.tsx';
import { Button, Quiet } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { say } from '../../ui/language.ts';
import { go } from '../../ui/place.ts';
import { undoTime } from '../reply/useReply.ts';
import { noteDecision, takesPress, useFresh } from './presses.ts';
import { undrawnText } from './undrawn.ts';

const UndoBar = lazy(() => import('../outcome/UndoBar.tsx').then(({ UndoBar: ready }) => ready), optional);

/** A question that cannot be drawn, as plain text: it can be declined or left, and nothing of it be approved. */
export function Undrawn({ entry: { inquiry, resolution, sending } }: { entry: InquiryEntry }) {
  const t = say({ en, zh });
  const fresh = useFresh();
  const waits = !resolution && !sending;
  useEffect(() => {
    if (waits) opened(inquiry.id);
    document.getElementById('ask')?.focus({ preventScroll: true });
  }, []);
  const decline = () => {
    if (!takesPress(inquiry) || fresh.value) return undefined;
    noteDecision(inquiry);
    void answer(inquiry.id, { outcome: 'declined' }, undoTime(inquiry));
    return go('/', 'replace');
  };
  return (
    <main class="inquiry" id="open" aria-labelledby="ask">
      <nav class="topbar" aria-label={inboxWords().back}>
        <a class="quiet" href="/">
          <Icon name="back" />
          {inboxWords().back}
        </a>
      </nav>
      <article class="panel">
        <div class="note">
          <h1 class="ask ask--long" id="ask" tabIndex={-1} dir="auto">
            {visible(`${inquiry.source.name}: ${inquiry.title}`)}
          </h1>
          <p class="hint is-wrong" role="alert">
            {resolution ? t.over : t.say}
          </p>
          <div class="prose">
            <pre dir="auto">{visible(undrawnText(inquiry), true)}</pre>
          </div>
        </div>
        <footer class="bar">
          {given.value && <UndoBar />}
          <div class="bar-do">
            <Quiet onPress={() => location.reload()}>{t.again}</Quiet>
            {waits ? (
              <Button look="line" onPress={decline}>
                {t.decline}
              </Button>
            ) : (
              <Button look="line" onPress={() => go('/')}>
                {inboxWords().back}
              </Button>
            )}
          </div>
        </footer>
      </article>
    </main>
  );
}

const en = {
  say: 'This question cannot be drawn. Here is what was sent, as plain text. You can decline it or leave it; nothing can be approved here.',
  over: 'This question cannot be drawn, and is over. Here is what was sent, as plain text.',
  again: 'Reload',
  decline: 'Decline',
};

const zh: typeof en = {
  say: '这个问题无法正常显示。下面是收到的原文。你可以不回答或离开；在这里不能批准。',
  over: '这个问题无法正常显示，并且已经结束。下面是收到的原文。',
  again: '重新加载',
  decline: '不回答',
};
