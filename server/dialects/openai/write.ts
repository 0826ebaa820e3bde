import { endsOf, type Answered, type End } from '../dialect.ts';
import type { Kept } from './read.ts';

/** One decision for each interruption, in their order, or the input items that answer a response. */
export function write(keep: unknown, inquiries: Answered[]): unknown {
  const { as, ids } = keep as Kept;
  const ends = endsOf(inquiries);
  const decisions = ids.map((_, at) => decisionOf(ends[at]));
  if (as === 'sdk')
    return { decisions: remembered(decisions, inquiries).map((one, at) => ({ callId: ids[at], ...one })) };
  return decisions.map(({ approve, message }, at) => {
    const reason = message === undefined ? {} : { reason: message };
    return { type: 'mcp_approval_response', approval_request_id: ids[at], approve, ...reason };
  });
}

type Decided = { approve: boolean; always?: true; message?: string };

/** Decisions with "always" only where all calls of a tool ended alike: in the SDK it wipes what was decided about the others. */
function remembered(decisions: Decided[], inquiries: Answered[]): Decided[] {
  const names = inquiries.flatMap(({ actions = [] }) => actions.map(({ name }) => name));
  const namesOf = (approve: boolean) => new Set(names.filter((_, at) => decisions[at]?.approve === approve));
  const mixed = namesOf(true).intersection(namesOf(false));
  return decisions.map(({ always, ...one }, at) => (always && !mixed.has(names[at] ?? '') ? { ...one, always } : one));
}

function decisionOf(end: End | undefined): Decided {
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
