/** Calls `send` with the last value given for a key, at most once per `everyMs` and key. */
export function lastWins<Value>(everyMs: number, send: (key: string, value: Value) => void) {
  const timers = new Map<string, { timer: ReturnType<typeof setTimeout>; next: { value: Value } | undefined }>();
  const open = (key: string) => {
    const timer = setTimeout(() => {
      const next = timers.get(key)?.next;
      timers.delete(key);
      if (next) give(key, next.value);
    }, everyMs);
    timers.set(key, { timer, next: undefined });
  };
  const give = (key: string, value: Value) => {
    const running = timers.get(key);
    if (running) {
      running.next = { value };
      return;
    }
    open(key);
    send(key, value);
  };
  return {
    give,
    /** Drops what has not been sent for this key. */
    drop(key: string): void {
      clearTimeout(timers.get(key)?.timer);
      timers.delete(key);
    },
    dropAll(): void {
      for (const { timer } of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
