type Turn<Value> = { value: Value; next?: { value: Value }; timer?: ReturnType<typeof setTimeout> };

/**
 * Calls `send` with the last value given for a key: at once, or `everyMs` after the call before it was done, so that
 * nobody hears two within that time, however unevenly the way to them runs. What resolves to false is sent again.
 */
export function lastWins<Value>(everyMs: number, send: (key: string, value: Value) => Promise<unknown>) {
  const turns = new Map<string, Turn<Value>>();
  const run = async (key: string, value: Value) => {
    const turn: Turn<Value> = { value };
    turns.set(key, turn);
    const done = await send(key, value).catch(() => undefined);
    if (turns.get(key) !== turn) return;
    if (done === false) turn.next ??= { value };
    turn.timer = setTimeout(() => {
      turns.delete(key);
      if (turn.next) void run(key, turn.next.value);
    }, everyMs);
  };
  return {
    give(key: string, value: Value): void {
      const turn = turns.get(key);
      if (turn) turn.next = { value };
      else void run(key, value);
    },
    /** The last value of each key that may not have arrived. */
    latest: (): [string, Value][] => [...turns].map(([key, { value, next }]) => [key, next ? next.value : value]),
    /** Drops what has not been sent for this key. */
    drop(key: string): void {
      clearTimeout(turns.get(key)?.timer);
      turns.delete(key);
    },
    dropAll(): void {
      for (const { timer } of turns.values()) clearTimeout(timer);
      turns.clear();
    },
  };
}
