import type { AnswerContent } from '#shared/answer.ts';
import { note } from '../faults.ts';
import { words } from '../inquiries.ts';
import { isAnswer, keepStored } from '../stored.ts';
import type { Queued } from './outbox.ts';

/**
 * Sends none of these answers that the disk of this device has damaged, which are all but the whole ones: what can still be
 * read of one stands in its question again, unless newer words do, and the page says so.
 */
export function giveBack(
  all: readonly [answerId: string, Partial<Queued> | null][],
  whole: readonly Partial<Queued>[],
  keep: (inquiryId: string, own: AnswerContent) => void,
): void {
  for (const [answerId, one] of all) {
    if (one && whole.includes(one)) continue;
    const { inquiryId, body } = one ?? {};
    if (typeof inquiryId === 'string' && body && isAnswer(body) && !words.peek().has(inquiryId))
      keep(inquiryId, written(body));
    void keepStored(`answer:${answerId}`, undefined);
  }
  note('damaged', true);
}

function written({ text, values, other, decisions }: AnswerContent): AnswerContent {
  return JSON.parse(JSON.stringify({ text, values, other, decisions })) as AnswerContent;
}
