import { DEVICE_MARGIN_MS } from '#shared/live.ts';

/** So long before the hold a decider is asked that is to decide before the deadline. */
const ASKING_MS = 30_000;
/** What was asked of a decider is given up so long after its own time is over: it may have waited for its turn. */
const SPARE_MS = 5_000;

/**
 * When a decider is asked that is to decide before the deadline: early enough for its answer and the hold, and never
 * before half of the time is over, which is the people's.
 */
export function startsAt(
  { opened_at, deadline_at }: { opened_at: number; deadline_at: number },
  holdSeconds: number,
): number {
  const half = opened_at + (deadline_at - opened_at) / 2;
  return Math.ceil(Math.max(half, deadline_at - DEVICE_MARGIN_MS - holdSeconds * 1000 - ASKING_MS));
}

/** When what it proposes now counts: after the hold, at latest 2 s before the deadline. Undefined: it is too late. */
export function countsAt(deadlineAt: number, holdSeconds: number, now: number): number | undefined {
  const latest = deadlineAt - DEVICE_MARGIN_MS;
  return now > latest ? undefined : Math.floor(Math.min(now + holdSeconds * 1000, latest));
}

/** Until when an answer is waited for that is to decide something: then people are asked as always. */
export function givesUpAt(deadlineAt: number, timeoutSeconds: number, now: number): number {
  return Math.round(Math.min(now + timeoutSeconds * 1000 + SPARE_MS, deadlineAt - DEVICE_MARGIN_MS));
}
