import type { AnswerBody } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { preferencesFor } from '../../live/preferences.ts';
import { connection } from '../../live/store.ts';
import { serverNow } from '../../ui/clock.ts';
import { isCautious } from '../caution.ts';
import { timeLeft } from '../countdown.ts';

// With less time left, what is held back could come too late.
const NO_UNDO_MS = 15_000;

/**
 * Until when an answer can be undone (ISO 8601). Undefined for one that leaves at once: a plain approval of calls without
 * caution, unless it is one of several given together.
 */
export function undoUntil(inquiry: Inquiry, body: Pick<AnswerBody, 'decisions'>, together = false): string | undefined {
  const plain = body.decisions?.every(({ type }) => type === 'approve') ?? false;
  return plain && !isCautious(inquiry) && !together ? undefined : undoTime(inquiry);
}

/** Until when an answer that is not a plain approval could be undone; undefined where it would leave at once. */
export function undoTime(inquiry: Inquiry): string | undefined {
  const ms = preferencesFor(inquiry.source.id).undoSeconds * 1000;
  if (ms === 0 || connection.value === 'offline' || timeLeft(inquiry, serverNow()).leftMs < NO_UNDO_MS)
    return undefined;
  return new Date(Date.now() + ms).toISOString();
}
