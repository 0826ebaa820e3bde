import type { Problem } from '#shared/problem.ts';
import { call } from './api.ts';
import { dispatch, tell } from './line.ts';

/** Moves the deadline later by `seconds`, as far as `latestAt` allows. */
export async function extend(
  inquiryId: string,
  seconds: number,
): Promise<{ deadlineAt: string } | { problem: Problem }> {
  const moved = await tell('extend', { inquiryId, seconds });
  if (moved) return moved;
  const reply = await call<{ deadlineAt: string }>('POST', `/v1/inquiries/${inquiryId}/extend`, { seconds });
  return reply.problem ? { problem: reply.problem } : { deadlineAt: reply.ok.deadlineAt };
}

/** Hides the inquiry on this device; it stays open. */
export async function dismiss(inquiryId: string): Promise<{ problem: Problem } | undefined> {
  const reply = await call('POST', `/v1/inquiries/${inquiryId}/dismiss`, {});
  if (reply.problem) return { problem: reply.problem };
  dispatch({ type: 'dismissed', inquiryId });
  return undefined;
}
