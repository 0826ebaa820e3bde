import { setTimeout as pause } from 'node:timers/promises';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { AppError } from '#shared/problem.ts';
import { Unreachable, type HubClient } from '../hub-client.ts';

const POLL_SECONDS = 60;
/** A hub that holds a poll longer than this is gone, whatever the connection says. */
const SILENCE_MS = 75_000;

/** So long a hub that does not reply is tried again: to ask at all, and to hear the answer to what was asked. */
export type Patience = { askMs: number; hearMs: number; firstRetryMs: number; longestRetryMs: number };
export const PATIENCE: Patience = { askMs: 15_000, hearMs: 120_000, firstRetryMs: 250, longestRetryMs: 4_000 };

/**
 * Asks the people of a hub over HTTP and waits until they decided. The ask carries its key, so that a
 * lost reply or a restarting hub finds it again (ASK2). "gone": `signal` aborted, and it was taken back. Throws
 * `AppError` where the hub refuses and `Unreachable` where none replied for too long; then nobody decided.
 */
export async function askPeople(
  hub: HubClient,
  ask: Ask & { key: string },
  signal: AbortSignal,
  patience: Patience = PATIENCE,
): Promise<Inquiry | 'gone'> {
  // Not cut short: an ask on its way may have arrived, and can be taken back only by its id.
  const asked = await persist(() => hub.ask(ask, AbortSignal.timeout(SILENCE_MS)), signal, patience.askMs, patience);
  if (asked === 'gone') return asked;
  for (let inquiry = asked; ;) {
    if (inquiry.resolution) return inquiry;
    const startedAt = performance.now();
    const hear = () => hub.read(asked.id, POLL_SECONDS, AbortSignal.any([signal, AbortSignal.timeout(SILENCE_MS)]));
    const read = await persist(hear, signal, patience.hearMs, patience);
    if (read === 'gone') return takeBack(hub, asked.id, signal);
    inquiry = read;
    // A stopping hub replies at once; without a pause this would be a busy loop.
    if (!inquiry.resolution && performance.now() - startedAt < 1000)
      await pause(patience.firstRetryMs, undefined, { signal }).catch(() => {});
  }
}

async function takeBack(hub: HubClient, id: string, signal: AbortSignal): Promise<'gone'> {
  const reason = signal.reason instanceof Error ? signal.reason.message : '';
  try {
    await hub.withdraw(id, reason || 'The asker stopped waiting.');
  } catch (error) {
    // Decided in the same moment, or no hub: the deadline ends it, and nothing is run in between.
    if (!(error instanceof AppError || error instanceof Unreachable)) throw error;
  }
  return 'gone';
}

/** Tries again, with back-off, while no hub replies and `ms` are not over. */
async function persist<T>(
  attempt: () => Promise<T>,
  signal: AbortSignal,
  ms: number,
  { firstRetryMs, longestRetryMs }: Patience,
): Promise<T | 'gone'> {
  const giveUpAt = performance.now() + ms;
  for (let wait = firstRetryMs; ; wait = Math.min(wait * 2, longestRetryMs)) {
    if (signal.aborted) return 'gone';
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted) return 'gone';
      if (!(error instanceof Unreachable) || performance.now() + wait > giveUpAt) throw error;
    }
    await pause(wait, undefined, { signal }).catch(() => {});
  }
}
