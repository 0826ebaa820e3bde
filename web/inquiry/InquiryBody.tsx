import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import type { Inquiry } from '#shared/inquiry.ts';
import { lazy } from '../app/lazy.tsx';
import { route } from '../app/route.ts';
import type { InquiryEntry } from '../live/entry.ts';
import { preferencesFor } from '../live/preferences.ts';
import { isCut, isOpenHere } from '../live/inquiries.ts';
import { entries, opened, sendNow, takeBack } from '../live/store.ts';
import { go } from '../ui/place.ts';
import { Icon } from '../ui/Icon.tsx';
import { Button, IconButton } from '../ui/Button.tsx';
import { inboxWords } from '../inbox/words.ts';
import { now } from '../ui/clock.ts';
import { hasWords } from './reply/content.ts';
import { type Answering, sentHere, useReply } from './reply/useReply.ts';
import { asksWords, focusQuestion, useKeys, useOpened } from './view/keys.ts';
import { OpenInquiry } from './OpenInquiry.tsx';
import { awaitPause } from './view/presses.ts';
import { dialogWords } from './words.ts';
import { readHeadline } from './view/headline.ts';
import { Bar } from './view/Bar.tsx';
import { OpenHead } from './view/InquiryHead.tsx';
import { Note } from './view/Note.tsx';
import type { Leaving } from './view/Confirm.tsx';
import { replyFaults } from './reply/faults.ts';

const Confirm = lazy(() => import('./view/Confirm.tsx').then(({ Confirm: ready }) => ready));
const Wrote = lazy(() => import('./outcome/HeldBack.tsx').then(({ Wrote: ready }) => ready));
const fetchHeldBack = () => import('./outcome/HeldBack.tsx').then(({ HeldBack: ready }) => ready);
const HeldBack = lazy(fetchHeldBack);
const fetchUndoBar = () => import('./outcome/UndoBar.tsx');
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
    void Promise.all([fetchSettled(), fetchHeldBack(), fetchUndoBar(), import('../inbox/Apart.tsx')]).catch(() => {});
    if (document.activeElement?.matches('body, a, button')) focusQuestion(asksWords(inquiry));
  }, []);
  const settled = receipt?.resolution ?? resolution;
  const queued = !settled && (sending === 'queued' || sending === 'held');
  useClosedWhenCut(isCut(inquiry) && !settled && !sending, answering);
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

/** Leaves an inquiry whose line is lost while it is open here; with words in it, it stays and says so (WDR3). */
function useClosedWhenCut(cut: boolean, { reply, writtenAt }: Answering): void {
  const before = useRef(cut);
  useEffect(() => {
    const lost = cut && !before.current;
    before.current = cut;
    if (lost && writtenAt === 0 && !reply.own) go('/', 'replace');
  }, [cut]);
}

function Topbar({ onMore }: { onMore: (() => void) | undefined }) {
  const words = dialogWords();
  const count = entries.value.filter(isOpenHere).length;
  return (
    <nav class="topbar" aria-label={inboxWords().back}>
      <a class="quiet" href="/">
        <Icon name="back" />
        {inboxWords().wait(count)}
      </a>
      {onMore && <IconButton name="more" label={words.more} onPress={onMore} />}
    </nav>
  );
}

/** An answer given without a line to the hub: it waits here, leaves by itself, and can be taken back. */
function Queued({ entry }: { entry: InquiryEntry }) {
  const words = dialogWords();
  const { inquiry } = entry;
  const wroteAt = entry.queuedAt ? Date.parse(entry.queuedAt) : now.value;
  useKeys({ escape: () => go('/'), enter: sendNow });
  return (
    <article class="panel">
      <OpenHead inquiry={inquiry} firstDeadline={inquiry.deadlineAt} />
      <Note inquiry={inquiry} ask={readHeadline(inquiry).ask} prose="" />
      <section class="reply" aria-label={words.yourAnswer}>
        <p class="label">{words.queued.wrote(wroteAt)}</p>
        <Wrote entry={entry} />
        <p class="hint" role="status">
          {words.queued.leaves}
        </p>
      </section>
      <Bar>
        <Button look="line" onPress={() => void takeBack(inquiry.id)}>
          {words.queued.undo}
        </Button>
        <Button onPress={sendNow}>{words.queued.tryNow}</Button>
      </Bar>
    </article>
  );
}

/** The same answering; for a person who wants to be asked again, whole answers wait in a dialog until they say so. */
function useConfirming(inquiry: Inquiry, given: Answering): { answering: Answering; dialog: ComponentChildren } {
  const leaving = useSignal<Leaving | undefined>(undefined);
  if (!preferencesFor(inquiry.source.id).confirm) return { answering: given, dialog: undefined };
  const now = leaving.value;
  return {
    answering: {
      ...given,
      send(update = (before) => before) {
        const reply = update(given.reply);
        if (replyFaults(inquiry, reply).length > 0) return given.send(update);
        leaving.value = { reply };
        return true;
      },
      decline(message) {
        leaving.value = { declined: message };
      },
    },
    dialog: now && (
      <Confirm
        inquiry={inquiry}
        leaving={now}
        onBack={() => (leaving.value = undefined)}
        onSend={() => {
          leaving.value = undefined;
          if ('declined' in now) given.decline(now.declined);
          else given.send(() => now.reply);
        }}
      />
    ),
  };
}
