import { AsyncLocalStorage } from 'node:async_hooks';
import { TIMERS, type Timers } from './clock.ts';

/** Work that takes longer than this hangs on something else, and keeps nobody waiting. */
const MOST_MS = 1_000;

/** What is smaller waits for no turn. */
export const SMALL_BYTES = 4_096;

type Over = () => void;
const working = new AsyncLocalStorage<Work>();

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

export type Work = ReturnType<typeof createWork>;

/** The work of one call in the line of its caller. It has one turn at a time, however much of it runs at once. */
export function createWork({ take }: Pick<Turns, 'take'>, key: string) {
  let turn: Promise<Over> | undefined;
  let begun = false;
  let closed = false;
  const end = (): void => {
    void turn?.then((over) => over());
    turn = undefined;
    begun = false;
  };
  return {
    /** Resolves in a turn of this call: the one that it has, or its next one. */
    async take(): Promise<void> {
      const own = (turn ??= take(key));
      await own;
      begun = turn === own;
      // Nobody ends it any more.
      if (closed) end();
    },
    has: (): boolean => begun,
    end,
    /** The call is over, and its turn. */
    close(): void {
      closed = true;
      end();
    },
  };
}

/** Runs `work` so that `takeTurn` and `endTurn` in it, and in all that it awaits, are those of this call. */
export function inTurn<Result>(call: Work, work: () => Result): Result {
  return working.run(call, work);
}

/** Awaited before so much is read or worked on: where it is large, resolves in a turn of the call that runs now. */
export async function takeTurn(bytes: number): Promise<void> {
  if (bytes > SMALL_BYTES) await working.getStore()?.take();
}

/** The rows that `read` finds; large ones are read again in a turn of the call that runs now: nothing is kept that waits. */
export async function readInTurn<Rows extends object[][]>(read: () => Promise<Rows>): Promise<Rows> {
  let found: Rows | undefined = await read();
  const call = working.getStore();
  if (!call || call.has() || textIn(found) <= SMALL_BYTES) return found;
  found = undefined;
  await call.take();
  return read();
}

function textIn(rows: object[][]): number {
  const texts = rows
    .flat()
    .flatMap(Object.values)
    .filter((value) => typeof value === 'string');
  return texts.reduce((sum, text) => sum + text.length, 0);
}

/** Ends the turn of the call that runs now, before it waits for somebody else: a person, or another server. */
export function endTurn(): void {
  working.getStore()?.end();
}
