import { isPermanent } from '../platform/outbound/addresses.ts';
import type { Sent } from '../platform/outbound/post.ts';

export const DAY_MS = 86_400_000;
const FIRST_MS = 5_000;
const LONGEST_MS = 3_600_000;

/** Nobody is left to be told. */
export const SOURCE_REVOKED = 'source revoked';

/** What one attempt means for its delivery: 409 and 410 say that the endpoint does not want it any more (DLV1). */
export function verdictOf({ status, error }: Sent): 'delivered' | 'gone' | 'again' | 'failed' {
  if (isPermanent(error)) return 'failed';
  if (error === SOURCE_REVOKED) return 'gone';
  if (status === undefined || error !== undefined) return 'again';
  if (status >= 200 && status < 300) return 'delivered';
  return status === 409 || status === 410 ? 'gone' : 'again';
}

/**
 * When a delivery is tried next, after `tries` attempts without success: 5 s, 10 s, 20 s … at most an hour
 * and not before `retryAfterMs` (itself capped at an hour), each shortened by up to a fifth by `chance`
 * (0..1), the last at `giveUpAt`. Undefined: that instant has passed.
 */
export function nextTry(turn: {
  tries: number;
  now: number;
  giveUpAt: number;
  chance: number;
  retryAfterMs?: number | undefined;
}): number | undefined {
  const { tries, now, giveUpAt, chance, retryAfterMs = 0 } = turn;
  if (now >= giveUpAt) return undefined;
  const backOff = backOffMs({ tries, firstMs: FIRST_MS, longestMs: LONGEST_MS, chance });
  const wait = Math.max(backOff, Math.min(retryAfterMs, LONGEST_MS));
  return Math.min(now + Math.round(wait), giveUpAt);
}

/** `firstMs` after the first failure, doubled with each other up to `longestMs`, shortened by up to a fifth by `chance` (0..1). */
export function backOffMs(turn: { tries: number; firstMs: number; longestMs: number; chance: number }): number {
  const { tries, firstMs, longestMs, chance } = turn;
  return Math.min(longestMs, firstMs * 2 ** Math.max(0, tries - 1)) * (1 - chance / 5);
}
