import { endsOf, type Answered, type End } from '../dialect.ts';
import type { Kept } from './read.ts';

/** One tool message that answers every request and every call: a partial one runs the approved tools, and then throws. */
export function write(keep: unknown, inquiries: Answered[]): unknown {
  const ends = endsOf(inquiries);
  return { role: 'tool', content: (keep as Kept).map((kept, at) => answerOf(kept, ends[at])) };
}

function answerOf(kept: Kept[number], end: End | undefined): object {
  const no = reasonOf(end);
  const reason = no === undefined ? {} : { reason: no };
  if ('approvalId' in kept) {
    const approved = end?.type === 'approve';
    const { approvalId, ...executed } = kept;
    return { type: 'tool-approval-response', approvalId, approved, ...(approved ? {} : reason), ...executed };
  }
  const output =
    end?.type === 'respond' ? { type: 'text', value: end.message } : { type: 'execution-denied', ...reason };
  return { type: 'tool-result', ...kept, output };
}

function reasonOf(end: End | undefined): string | undefined {
  if (end?.type === 'reject') return end.message;
  return end?.type === 'declined' || end?.type === 'nobody' ? end.text : undefined;
}
