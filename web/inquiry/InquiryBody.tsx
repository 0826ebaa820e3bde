import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks';
import { lazy } from '../app/lazy.tsx';
import { route } from '../app/route.ts';
import type { InquiryEntry } from '../live/entry.ts';
import { preferencesFor } from '../live/preferences.ts';
import { isOpenHere } from '../live/inquiries.ts';
import { entries, opened } from '../live/store.ts';
import { language } from '../ui/language.ts';
import { countWord } from '../ui/times.ts';
import { go } from '../ui/place.ts';
import { Icon } from '../ui/Icon.tsx';
import { IconButton } from '../ui/Button.tsx';
import { inboxWords } from '../inbox/words.ts';
import { hasWords } from './reply/content.ts';
import { sentHere, useReply } from './reply/useReply.ts';
import { useOpened } from './opened.ts';
import { OpenInquiry } from './OpenInquiry.tsx';
import { fetchWrote, Queued } from './outcome/Queued.tsx';
import { useConfirming } from './view/useConfirming.tsx';
import { asksWords, focusQuestion } from './focus.ts';
import { awaitPause } from './pause.ts';
import { dialogWords } from './words.ts';

const fetchHeldBack = () => import('./outcome/HeldBack.tsx').then(({ HeldBack: ready }) => ready);
const HeldBack = lazy(fetchHeldBack);
const fetchUndoBar = () => import('./next/UndoBar.tsx');
const fetchSettled = () => import('./outcome/Settled.tsx').then(({ Settled: ready }) => ready);
const Settled = lazy(fetchSettled);

/** An inquiry in its three states: open, on its way, or settled. */
export function InquiryBody({ entry: one }: { entry: InquiryEntry }) {
  const words = dialogWords();
  const more = useSignal(false);
  const { inquiry, resolution, receipt, sending } = one;
  // It was settled before this inquiry was opened: then it is read, and does not leave by itself.
  const cameSettled = useMemo(() => resolution !== undefined && receipt === undefined, []);
  const cameAnswered = useMemo(() => resolution !== undefined || receipt !== undefined, []);
  const answering = useReply(one);
  const confirming = useConfirming(inquiry, answering);
  useOpened(inquiry);
  useEffect(() => {
    // Pinned, so that a more pressing inquiry never takes this one's place under the finger.
    if (route.value.page === 'inbox') go(`/i/${inquiry.id}`, 'by itself');
  }, [route.value]);
  useEffect(() => {
    if (!resolution) opened(inquiry.id);
    // They will be needed, and by then the line may be gone.
    void Promise.all([fetchSettled(), fetchWrote(), fetchHeldBack(), fetchUndoBar()]).catch(() => {});
    if (document.activeElement?.matches('body, a, button')) focusQuestion(asksWords(inquiry));
  }, []);
  const settled = receipt?.resolution ?? resolution;
  const queued = !settled && (sending === 'queued' || sending === 'held');
  useLayoutEffect(() => awaitPause(), [settled, queued]);
  return (
    <main class="inquiry" id="open" aria-labelledby="ask" data-density={preferencesFor(inquiry.source.id).density}>
      <Topbar onMore={settled || queued ? undefined : () => (more.value = true)} />
      {settled ? (
        <Settled
          entry={one}
          resolution={settled}
          answering={answering}
          saved={hasWords(inquiry, answering.reply) || (answering.reply.own && answering.reply.text.trim() !== '')}
          leaves={!cameSettled && !receipt && !sentHere.has(inquiry.id)}
          onward={!cameAnswered && receipt?.won === true}
        />
      ) : one.leavesAt !== undefined ? (
        <HeldBack entry={one} />
      ) : queued ? (
        <Queued entry={one} />
      ) : (
        <>
          <OpenInquiry
            key={answering.undone}
            entry={one}
            answering={confirming.answering}
            more={more.value}
            onMore={(open) => (more.value = open)}
          />
          {confirming.dialog}
        </>
      )}
      <p class="sr" role="status">
        {sending === 'sent' && !settled ? words.queued.sending : ''}
      </p>
    </main>
  );
}

function Topbar({ onMore }: { onMore: (() => void) | undefined }) {
  const words = dialogWords();
  const count = entries.value.filter(isOpenHere).length;
  return (
    <nav class="topbar" aria-label={inboxWords().back}>
      <a class="quiet" href="/">
        <Icon name="back" />
        {inboxWords().wait(countWord(count, language.value), count)}
      </a>
      {onMore && <IconButton name="more" label={words.more} onPress={onMore} />}
    </nav>
  );
}
