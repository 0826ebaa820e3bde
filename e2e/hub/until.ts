import { setTimeout as pause } from 'node:timers/promises';

/** Waits for a condition to hold, at most `ms`; then fails with what it waited for. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  ms = 60_000,
): Promise<Exclude<T, false | null | undefined>> {
  const start = performance.now();
  for (; ; await pause(10)) {
    const seen = await look();
    if (seen) {
      performance.measure('test: wait for a condition', { start });
      return seen as Exclude<T, false | null | undefined>;
    }
    if (performance.now() > start + ms) throw new Error(`waited ${ms / 1000} s in vain for ${what}`);
  }
}
