import type { Resolution } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { DAY_MS, TIMERS, type Timers } from '../platform/clock.ts';
import { createPlaces, type PlaceLimits } from '../platform/nodes/places.ts';
import type { Signals } from '../platform/nodes/signals.ts';
import { endTurn } from '../platform/turns.ts';
import { createReadings } from './reading.ts';

/** What a resolution changes of an inquiry as its source reads it, for the calls that wait for it on this node. */
export type ResolvedHere = Pick<Inquiry, 'state' | 'revision' | 'deadlineAt' | 'latestAt' | 'reach'> & {
  resolution: Resolution;
};

/** One call that waits until an inquiry is resolved. */
export type Wait = {
  inquiryId: string;
  /** The inquiry as the caller may see it; throws once the caller was revoked. What waits alike shares one reading. */
  read: () => Promise<Inquiry>;
  /** Called with each reading that this call waits on after. */
  heard?: ((inquiry: Inquiry) => void) | undefined;
  /** The first reading, of a caller that has awaited nothing since its own commit. */
  first?: Inquiry | undefined;
  callerId: string;
  /**
   * "asker": without this call nobody may be left who asks; "source": its source reads it by its id; "reader": whoever
   * only looks, a person or a stream of events, and holds nothing open.
   */
  by: 'asker' | 'source' | 'reader';
  /** Infinity: as long as a person takes. */
  ms: number;
  /** Aborts when the caller is gone, for instance `clientGone(reply.raw)`, made before anything is awaited. */
  signal: AbortSignal;
  /** The caller's words where it took the call back; undefined, or absent: its connection was lost. */
  cancelled?: () => string | undefined;
  /** So long the inquiry waits for a lost caller to come back; absent: 2 s, with a key 60 s. */
  graceMs?: number | undefined;
  /** The time is up, but the caller comes back within so long; absent: it knows the id, and the inquiry stays open. */
  againMs?: number | undefined;
};

type Waiter = Pick<Wait, 'by'> & { wake(resolvedHere?: ResolvedHere): void };

export type Waiters = ReturnType<typeof createWaiters>;

/** The calls that wait on this node, woken by the signals of all nodes; `limits`: how many each credential may have. */
export function createWaiters(signals: Signals, timers: Timers = TIMERS, limits?: PlaceLimits) {
  const waiting = new Map<string, Set<Waiter>>();
  const readings = createReadings(timers);
  let stopped = false;
  const unsubscribe = signals.subscribe((inquiryId) => waiting.get(inquiryId)?.forEach(({ wake }) => wake()));

  return {
    places: createPlaces(limits),
    /**
     * Reads until the inquiry is resolved, the time is up, the caller is gone or the hub stops, and returns the last
     * reading. Reads after every signal of the inquiry or of the caller, who may be revoked, and at least every 15 s;
     * a resolution that this node wrote itself is handed over and not read again. A database that is away is no news.
     * Calls of one caller that wait for one inquiry share each reading.
     */
    async lastReading({ inquiryId, read, heard, first, callerId, by, ms, signal }: Wait): Promise<Inquiry> {
      const end = timers.now() + ms;
      let woken = Promise.withResolvers<void>();
      let resolvedHere: ResolvedHere | undefined;
      const wake = (news?: ResolvedHere): void => {
        if (by !== 'reader') resolvedHere ??= news;
        woken.resolve();
      };
      const goOn = (): void => wake();
      const waiter: Waiter = { by, wake };
      const keys = [inquiryId, callerId];
      for (const key of keys) waiting.set(key, (waiting.get(key) ?? new Set()).add(waiter));
      const reading = readings.join(`${inquiryId} ${callerId} ${by === 'reader'}`, goOn);
      // A frame of its own, so that no call that waits keeps what it read.
      const ended = async (known: Inquiry | undefined): Promise<Inquiry | undefined> => {
        const inquiry = known
          ? reading.learn(known)
          : ((resolvedHere && reading.resolved(resolvedHere)) ?? (await reading.again(read, () => stopped)));
        if (inquiry.resolution || end <= timers.now() || signal.aborted || stopped) return inquiry;
        heard?.(inquiry);
        return undefined;
      };
      signal.addEventListener('abort', goOn);
      try {
        for (let known = first; ; known = undefined) {
          // Armed before reading: a change between the reading and the waiting is not missed.
          woken = Promise.withResolvers<void>();
          const inquiry = await ended(known);
          if (inquiry) return inquiry;
          const cancel = timers.after(Math.min(end - timers.now(), DAY_MS), goOn);
          reading.wakeLater();
          endTurn();
          await woken.promise;
          cancel();
        }
      } finally {
        signal.removeEventListener('abort', goOn);
        reading.leave();
        for (const key of keys) {
          waiting.get(key)?.delete(waiter);
          if (waiting.get(key)?.size === 0) waiting.delete(key);
        }
      }
    },
    /** Wakes the calls of its source that wait for this inquiry on this node with what resolved it. */
    hand: (inquiryId: string, resolvedHere: ResolvedHere): void =>
      waiting.get(inquiryId)?.forEach(({ wake }) => wake(resolvedHere)),
    /** How many calls of its source wait for this inquiry on this node; whoever only looks is none of them. */
    count: (inquiryId: string): number =>
      [...(waiting.get(inquiryId) ?? [])].filter(({ by }) => by !== 'reader').length,
    /** True from the moment the hub stops: its waiters end, nothing is withdrawn. */
    stopping: (): boolean => stopped,
    stop(): void {
      stopped = true;
      unsubscribe();
      for (const waiters of waiting.values()) for (const { wake } of waiters) wake();
    },
  };
}
