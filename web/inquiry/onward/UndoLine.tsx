import './undo.css';
import { useLayoutEffect } from 'preact/hooks';
import { passed } from '../../live/letters.ts';
import { held, receiptOf, release } from '../../live/store.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { now, useTicking } from '../../ui/clock.ts';
import { go } from '../../ui/place.ts';
import { Quiet } from '../../ui/Slab.tsx';
import { visible } from '#shared/visible.ts';
import { undo } from '../reply/useReply.ts';
import { wordsOf } from '../verdict/Wrote.tsx';
import { dialogWords } from '../words.ts';
import { onwardWords } from './words.ts';

const RELEASING = ['click', 'input', 'keydown'] as const;

/** What became of the answer before this question: for a moment it can be undone, then its receipt is one tap away. */
export function UndoLine({ inquiry }: { inquiry: Inquiry }) {
  const t = onwardWords();
  const one = held.value.find((other) => other.inquiry.id === inquiry.id);
  const { leavesAt } = one ?? {};
  useReleasing(inquiry.id, leavesAt !== undefined);
  const won = receiptOf(inquiry.id)?.won;
  const said = visible(wordsOf(one ?? { inquiry }).split('\n')[0] || dialogWords().decline);
  return (
    <>
      <p>
        <span class="mine" dir="auto">
          {t.quote(said)}
        </span>{' '}
        {leavesAt === undefined ? <span>{won ? t.sent : t.sending}</span> : <Seconds leavesAt={leavesAt} />}
      </p>
      <span class="sr" role="status">
        {t.quote(said)} {leavesAt === undefined ? (won ? t.sent : t.sending) : t.sentIn(secondsTo(leavesAt))}
      </span>
      {leavesAt === undefined ? (
        <a class="quiet" href={`/i/${inquiry.id}`}>
          <span class="link">{t.open}</span>
        </a>
      ) : (
        <Quiet onPress={() => undoAndOpen(inquiry.id)}>{t.undo}</Quiet>
      )}
      {leavesAt !== undefined && <Burn leavesAt={leavesAt} />}
    </>
  );
}

/** The seconds until it leaves, for the eye: a screen reader was told once. */
export function Seconds({ leavesAt }: { leavesAt: string }) {
  useTicking();
  return (
    <span aria-hidden="true" data-at={now.value}>
      {onwardWords().sentIn(secondsTo(leavesAt))}
    </span>
  );
}

function Burn({ leavesAt }: { leavesAt: string }) {
  return (
    <div class="burn" aria-hidden="true">
      <i key={leavesAt} style={{ animationDuration: `${Math.max(0, Date.parse(leavesAt) - Date.now())}ms` }} />
    </div>
  );
}

/** Takes it back and shows its question again. */
export function undoAndOpen(inquiryId: string): void {
  undo(inquiryId);
  passed.value = undefined;
  go(`/i/${inquiryId}`, 'replace');
}

// Whoever goes on with the next question means the answer; Ctrl or Cmd with Z takes it back.
function useReleasing(inquiryId: string, holds: boolean): void {
  // Before the line is painted: whoever reads it can press its keys.
  useLayoutEffect(() => {
    if (!holds) return undefined;
    const act = (event: Event) => {
      const key = event instanceof KeyboardEvent ? event : undefined;
      const field = event.target instanceof Element && event.target.matches('input, textarea, [contenteditable]');
      if (key && key.key === 'z' && (key.ctrlKey || key.metaKey) && !field) {
        event.preventDefault();
        undoAndOpen(inquiryId);
      } else if (key ? isAct(key) : isOnSheet(event)) release(inquiryId);
    };
    for (const sign of RELEASING) addEventListener(sign, act, true);
    return () => {
      for (const sign of RELEASING) removeEventListener(sign, act, true);
    };
  }, [inquiryId, holds]);
}

function isOnSheet({ target }: Event): boolean {
  return target instanceof Element && target.closest('.letter .sheet') !== null;
}

// Keys that answer something; moving about answers nothing, and Enter on a link or button is a click.
function isAct({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (key === 'Enter') return !(target instanceof Element && target.matches('a, button, summary'));
  return key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;
}

function secondsTo(leavesAt: string): number {
  return Math.max(1, Math.ceil((Date.parse(leavesAt) - Date.now()) / 1000));
}
