import { endsOf, type Answered, type End } from '../dialect.ts';
import type { Kept } from './read.ts';

/** One decision for each interruption, in their order, or the input items that answer a response. */
export function write(keep: unknown, inquiries: Answered[]): unknown {
  const { as, ids } = keep as Kept;
  const ends = endsOf(inquiries);
  if (as === 'sdk') return { decisions: ids.map((callId, at) => ({ callId, ...decisionOf(ends[at]) })) };
  return ids.map((id, at) => {
    const { approve, message } = decisionOf(ends[at]);
    const reason = message === undefined ? {} : { reason: message };
    return { type: 'mcp_approval_response', approval_request_id: id, approve, ...reason };
  });
}

function decisionOf(end: End | undefined): { approve: boolean; always?: true; message?: string } {
  const always = end && 'option' in end && end.option?.remember !== undefined ? { always: true as const } : {};
  switch (end?.type) {
    case 'approve':
      return { approve: true, ...always };
    case 'reject':
      return { approve: false, ...always, ...(end.message === undefined ? {} : { message: end.message }) };
    case 'declined':
    case 'nobody':
      return { approve: false, message: end.text };
    // Neither is offered.
    case 'edit':
    case 'respond':
    case undefined:
      return { approve: false };
  }
}
