import type { Signals } from '../../platform/nodes/signals.ts';

/** A lost signal delays a waiter by at most this; it never loses one. */
const REREAD_MS = 15_000;

export type Waiters = {
  /**
   * Reads until `done` holds, `ms` are over, `signal` aborts or the hub stops, and returns the last
   * reading. Reads after every signal of the inquiry or of `callerId`, whose credential may be revoked meanwhile, and
   * at least every 15 s. `first` saves the first reading, for a
   * caller that has awaited nothing since its own commit.
   */
  until<T>(
    inquiryId: string,
    read: () => Promise<T>,
    done: (value: T) => boolean,
    ms: number,
    signal: AbortSignal,
    first?: T,
    callerId?: string,
  ): Promise<T>;
  /** How many calls wait for this inquiry on this node. */
  count(inquiryId: string): number;
  /** True from the moment the hub stops: its waiters end, nothing is withdrawn. */
  stopping(): boolean;
  stop(): void;
};

/** The calls that wait on this node, woken by the signals of all nodes. */
export function createWaiters(signals: Signals): Waiters {
  const waiting = new Map<string, Set<() => void>>();
  let stopped = false;
  const unsubscribe = signals.subscribe((inquiryId) => waiting.get(inquiryId)?.forEach((wake) => wake()));

  return {
    async until(inquiryId, read, done, ms, signal, first, callerId) {
      const end = performance.now() + ms;
      const alarm = createAlarm();
      const keys = callerId === undefined ? [inquiryId] : [inquiryId, callerId];
      for (const key of keys) waiting.set(key, (waiting.get(key) ?? new Set()).add(alarm.wake));
      signal.addEventListener('abort', alarm.wake);
      try {
        for (;;) {
          // Armed before reading: a change between the reading and the waiting is not missed.
          const woken = alarm.arm();
          const value = first ?? (await read());
          first = undefined;
          const left = end - performance.now();
          if (done(value) || left <= 0 || signal.aborted || stopped) return value;
          await alarm.ring(woken, Math.min(left, REREAD_MS));
        }
      } finally {
        signal.removeEventListener('abort', alarm.wake);
        for (const key of keys) {
          waiting.get(key)?.delete(alarm.wake);
          if (waiting.get(key)?.size === 0) waiting.delete(key);
        }
      }
    },
    count: (inquiryId) => waiting.get(inquiryId)?.size ?? 0,
    stopping: () => stopped,
    stop() {
      stopped = true;
      unsubscribe();
      for (const wakers of waiting.values()) for (const wake of wakers) wake();
    },
  };
}

function createAlarm() {
  let ring: () => void = () => undefined;
  return {
    wake: () => ring(),
    arm: () => new Promise<void>((resolve) => (ring = resolve)),
    async ring(woken: Promise<void>, ms: number): Promise<void> {
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([woken, new Promise((resolve) => (timer = setTimeout(resolve, ms)))]);
      clearTimeout(timer);
    },
  };
}
