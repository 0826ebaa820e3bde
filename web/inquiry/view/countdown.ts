import type { DEVICE_MARGIN_MS } from '#shared/live.ts';

/** How much time is left to answer, and how loudly that is said. */
export type TimeLeft = { state: 'hours' | 'minutes' | 'last' | 'up'; leftMs: number; share: number };

// The hub's own number; importing the value would bring its schemas into the page.
const MARGIN_MS: typeof DEVICE_MARGIN_MS = 2_000;
const QUARTER_MS = 15 * 60_000;

/** The time left at `now` (ms). A device closes before the hub does, so that what was sent in the last moment counts. */
export function timeLeft({ openedAt, deadlineAt }: { openedAt: string; deadlineAt: string }, now: number): TimeLeft {
  const opened = Date.parse(openedAt);
  const closes = Date.parse(deadlineAt) - MARGIN_MS;
  const leftMs = Math.max(0, closes - now);
  const share = closes > opened ? Math.min(1, leftMs / (closes - opened)) : 0;
  const state = leftMs === 0 ? 'up' : leftMs <= 60_000 ? 'last' : leftMs < QUARTER_MS ? 'minutes' : 'hours';
  return { state, leftMs, share };
}

// What the hub waits where its sender says nothing.
const DEFAULT_MS = 86_400_000;

/** True where nobody set the deadline: then it is not said. */
export function isUnset({ openedAt, deadlineAt }: { openedAt: string; deadlineAt: string }): boolean {
  return Date.parse(deadlineAt) - Date.parse(openedAt) === DEFAULT_MS;
}

/** True while the deadline could still be moved later. */
export function canExtend({ deadlineAt, latestAt }: { deadlineAt: string; latestAt: string }, now: number): boolean {
  return Date.parse(latestAt) > Date.parse(deadlineAt) && now < Date.parse(deadlineAt) - MARGIN_MS;
}
