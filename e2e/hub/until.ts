import { setTimeout as pause } from 'node:timers/promises';

/** Waits for a condition to hold, at most `ms`; then fails with what it waited for. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  ms = 60_000,
): Promise<Exclude<T, false | null | undefined>> {
  for (const end = performance.now() + ms; ; await pause(10)) {
    const seen = await look();
    if (seen) return seen as Exclude<T, false | null | undefined>;
    if (performance.now() > end) throw new Error(`waited ${ms / 1000} s in vain for ${what}`);
  }
}
