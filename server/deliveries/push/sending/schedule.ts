import type { Sent } from '../../../platform/outbound/post.ts';
import { backOffMs } from '../../schedule.ts';

const FIRST_MS = 2_000;
const LONGEST_MS = 600_000;

export type Verdict = 'accepted' | 'gone' | 'refused' | 'too large' | 'again';

/**
 * What a push service's reply means (RFC 8030): only 404 and 410 say that the subscription is gone; a refused
 * key or request is the hub's own trouble and deletes nothing.
 */
export function verdictOf({ status, error }: Sent): Verdict {
  if (error?.startsWith('refused')) return 'refused';
  if (status === undefined || error !== undefined) return 'again';
  if (status >= 200 && status < 300) return 'accepted';
  if (status === 404 || status === 410) return 'gone';
  if (status === 413) return 'too large';
  return status === 408 || status === 429 || status >= 500 ? 'again' : 'refused';
}

/**
 * When a push is tried again after `tries` failures: 2 s, 4 s, 8 s … at most 10 min, each shortened by up to a
 * fifth by `chance` (0..1), and never before `retryAfterMs`. Undefined: not before it would be too late.
 */
export function nextTry(turn: {
  tries: number;
  now: number;
  giveUpAt: number;
  chance: number;
  retryAfterMs?: number | undefined;
}): number | undefined {
  const { tries, now, giveUpAt, chance, retryAfterMs = 0 } = turn;
  const backOff = backOffMs({ tries, firstMs: FIRST_MS, longestMs: LONGEST_MS, chance });
  const at = now + Math.round(Math.max(backOff, retryAfterMs));
  return at < giveUpAt ? at : undefined;
}

/** Why nothing arrives at present, for the person to read. */
export function troubleOf({ status, error }: Sent): string {
  if (status === undefined || error !== undefined) {
    return 'The hub may not send to this push service’s address. Turn notifications off and on again on this device.';
  }
  return status === 401 || status === 403
    ? `The push service does not accept the hub’s key (${status}). Turn notifications off and on again on this device.`
    : `The push service refuses what the hub sends (${status}). The hub’s log says more.`;
}
