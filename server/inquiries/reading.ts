import type { Inquiry } from '#shared/inquiry.ts';
import type { Timers } from '../platform/clock.ts';
import { isAway } from '../platform/database.ts';

/** A lost signal delays a waiter by at most this; it never loses one. */
const REREAD_MS = 15_000;

type Read = () => Promise<Inquiry>;

/** What calls that wait alike, those of one `name`, read together: a reading is made and kept once, however many wait. */
export function createReadings(timers: Timers) {
  const readings = new Map<string, ReturnType<typeof createReading>>();
  return {
    /** Joins those who wait under this name until `leave`; `wake` is called every 15 s after a reading. */
    join(name: string, wake: () => void) {
      const reading = readings.get(name) ?? createReading(timers);
      readings.set(name, reading);
      reading.waiting.add(wake);
      const leave = (): void => {
        reading.waiting.delete(wake);
        if (reading.waiting.size > 0) return;
        reading.stop();
        readings.delete(name);
      };
      return { ...reading, leave };
    },
  };
}

function createReading(timers: Timers) {
  const waiting = new Set<() => void>();
  let last: Inquiry | undefined;
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<Inquiry> | undefined;
  let ended: { by: Partial<Inquiry>; inquiry: Inquiry } | undefined;
  let cancel: (() => void) | undefined;

  // Begins after this is called, and is shared by whoever calls before it begins.
  const again = (read: Read): Promise<Inquiry> =>
    (next ??= current.then(async () => {
      const reading = read();
      current = reading.catch(() => undefined);
      next = undefined;
      return (last = await reading);
    }));

  return {
    waiting,
    /** What is known already, of whoever has just written it. */
    learn: (inquiry: Inquiry): Inquiry => (last = inquiry),
    /** Reads it anew; of a database that is away, what was read last. */
    again: (read: Read, stopped: () => boolean): Promise<Inquiry> =>
      again(read).catch((error: unknown) => {
        if (last && !stopped() && isAway(error)) return last;
        throw error;
      }),
    /** What was read last, with the resolution that this node wrote itself. */
    resolved(by: Partial<Inquiry>): Inquiry | undefined {
      if (last && ended?.by !== by) ended = { by, inquiry: { ...last, ...by } };
      return ended?.inquiry;
    },
    /** Wakes all who wait, 15 s after the first of them began to. */
    wakeLater(): void {
      cancel ??= timers.after(REREAD_MS, () => {
        cancel = undefined;
        for (const wake of waiting) wake();
      });
    },
    stop: (): void => cancel?.(),
  };
}
