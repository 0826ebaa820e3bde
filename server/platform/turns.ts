import { AsyncLocalStorage } from 'node:async_hooks';
import { TIMERS, type Timers } from './clock.ts';

/** Work that takes longer than this hangs on something else, and keeps nobody waiting. */
const MOST_MS = 1_000;

type Over = () => void;
const working = new AsyncLocalStorage<Over>();

export type Turns = ReturnType<typeof createTurns>;

/**
 * Has the work of each key done one after another, and lets everything else run for as long after it as it took: however
 * much waits, it has half of the time. Libuv takes one new connection in each turn of the event loop, so that a turn of its
 * own for each would not do.
 */
export function createTurns({ now, after }: Timers = TIMERS) {
  const lines = new Map<string, Over[]>();

  const begin = (key: string, restMs: number): void => {
    const [first] = lines.get(key) ?? [];
    if (first) after(restMs, first);
    else lines.delete(key);
  };
  return {
    /** Resolves when it is the turn of this key; its next one comes once the result was called, at the latest in a second. */
    take: (key: string): Promise<Over> =>
      new Promise((resolve) => {
        const line = lines.get(key) ?? [];
        lines.set(key, line);
        line.push(() => {
          const since = now();
          let over = false;
          const end = (): void => {
            if (over) return;
            over = true;
            cancel();
            line.shift();
            begin(key, now() - since);
          };
          const cancel = after(MOST_MS, end);
          resolve(end);
        });
        if (line.length === 1) begin(key, 0);
      }),
  };
}

/** Runs `work` so that `endTurn` in it, and in all that it awaits, ends this turn. */
export function inTurn<Result>(over: Over, work: () => Result): Result {
  return working.run(over, work);
}

/** Ends the turn of the call that runs now, before it waits for somebody else: a person, or another server. */
export function endTurn(): void {
  working.getStore()?.();
}
