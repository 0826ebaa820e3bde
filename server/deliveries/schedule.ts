import { isPermanent } from '../platform/outbound/addresses.ts';
import type { Sent } from '../platform/outbound/post.ts';

const FIRST_MS = 5_000;
const LONGEST_MS = 3_600_000;

/** Nobody is left to be told. */
export const SOURCE_REVOKED = 'source revoked';

/** What one attempt means for its webhook: 409 and 410 say that the endpoint does not want it any more (DLV1). */
export function outcomeOf({ status, error }: Sent): 'delivered' | 'gone' | 'again' | 'failed' {
  if (isPermanent(error)) return 'failed';
  if (error === SOURCE_REVOKED) return 'gone';
  if (status === undefined || error !== undefined) return 'again';
  if (status >= 200 && status < 300) return 'delivered';
  return status === 409 || status === 410 ? 'gone' : 'again';
}

type Failure = { tries: number; now: number; giveUpAt: number; chance: number; retryAfterMs?: number | undefined };

/**
 * When a webhook is tried next, after `tries` attempts without success: 5 s, 10 s, 20 s … at most an hour and not
 * before `retryAfterMs` (itself capped at an hour), the last at `giveUpAt`. Undefined: that instant has passed.
 */
export function nextTry({ giveUpAt, retryAfterMs = 0, ...failure }: Failure): number | undefined {
  if (failure.now >= giveUpAt) return undefined;
  const wait = { firstMs: FIRST_MS, longestMs: LONGEST_MS, retryAfterMs: Math.min(retryAfterMs, LONGEST_MS) };
  return Math.min(backOff({ ...failure, ...wait }), giveUpAt);
}

/**
 * `firstMs` from now after the first failure, doubled with each other up to `longestMs`, shortened by up to a fifth by
 * `chance` (0..1), and not before `retryAfterMs`.
 */
export function backOff(turn: Omit<Failure, 'giveUpAt'> & { firstMs: number; longestMs: number }): number {
  const { tries, now, firstMs, longestMs, chance, retryAfterMs = 0 } = turn;
  const wait = Math.min(longestMs, firstMs * 2 ** Math.max(0, tries - 1)) * (1 - chance / 5);
  return now + Math.round(Math.max(wait, retryAfterMs));
}
