type Timer = { at: number; run: () => void; of: 'worker' | 'engine' };

/** A clock that stands still until `pass`. */
export function openTime() {
  let timers: Timer[] = [];
  const clock = { now: 1_000_000 };
  return {
    clock,
    later(of: Timer['of'], ms: number, run: () => void): void {
      timers.push({ at: clock.now + ms, run, of });
    },
    /** Lets time pass; what the worker or the engine does later happens in its order. */
    async pass(ms: number): Promise<void> {
      const until = clock.now + ms;
      for (;;) {
        const due = timers.filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)[0];
        if (!due) break;
        timers = timers.filter((timer) => timer !== due);
        clock.now = Math.max(clock.now, due.at);
        due.run();
        await new Promise((resolve) => setImmediate(resolve));
      }
      clock.now = until;
    },
    /** The browser ends the worker: what it wanted to do later never happens. */
    endWorker(): void {
      timers = timers.filter(({ of }) => of === 'engine');
    },
  };
}
