import { argsOf, endsOf, type Answered, type End } from '../dialect.ts';
import type { Kept } from './read.ts';

/** `DeferredToolResults`: what becomes of each approval, and the result of each call. */
export function write(keep: unknown, inquiries: Answered[]): unknown {
  const { approvals, calls } = keep as Kept;
  const ends = endsOf(inquiries);
  return {
    approvals: Object.fromEntries(approvals.map((id, at) => [id, approvalOf(ends[at])])),
    calls: Object.fromEntries(calls.map((id, at) => [id, resultOf(ends[approvals.length + at])])),
    metadata: {},
  };
}

function approvalOf(end: End | undefined): unknown {
  if (end?.type === 'approve') return true;
  if (end?.type === 'edit') return { kind: 'tool-approved', override_args: argsOf(end) };
  const message = resultOf(end);
  return { kind: 'tool-denied', ...(message === undefined ? {} : { message }) };
}

function resultOf(end: End | undefined): string | undefined {
  if (end?.type === 'reject' || end?.type === 'respond') return end.message;
  return end?.type === 'declined' || end?.type === 'nobody' ? end.text : undefined;
}
