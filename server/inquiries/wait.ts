import type { Inquiry } from '#shared/inquiry.ts';
import { batched } from '../platform/batched.ts';
import { DAY_MS, TIMERS, type Timers } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { commitWith, keys, statement } from '../platform/steps.ts';
import type { Signals } from '../platform/nodes/signals.ts';
import { createPlaces, type PlaceLimits } from '../platform/nodes/places.ts';
import type { Announce, Inquiries } from './inquiries.ts';
import type { Handed } from './resolve.ts';
import { noteGivenUp, noteWaited } from '../sources/given-up.ts';
import { createReadings } from './asks/reading.ts';
import { endLease, releaseLease, renewLease, tellPickedUp } from './lease.ts';
import { withdrawIfOpen } from './withdraw.ts';

const FLUSH_MS = 20;
const ONCE = { most: 100, restMs: 5 };

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

/** "gone": nobody is left to be told; "stopping": this hub is; "later": the time is up. */
export type Waited = { inquiry: Inquiry; ended: 'resolved' | 'gone' | 'stopping' | 'later' };

/**
 * Waits for the resolution of an inquiry and leaves the lease as the end of the call demands: a call that was taken back
 * withdraws its inquiry, a lost connection releases it, a stopping hub touches nothing. Whoever hands a resolution over
 * also notes it as collected (`collectWith`).
 */
export async function waitForResolution(inquiries: Inquiries, wait: Wait): Promise<Waited> {
  const { waiters, database } = inquiries;
  const { inquiryId, signal, by } = wait;
  const began = database.clock.now();
  const inquiry = await waiters.lastReading(wait);
  const waitedMs = database.clock.now() - began;
  if (signal.aborted) {
    if (!inquiry.resolution && by === 'asker') await letGo(inquiries, wait, inquiry, waitedMs);
    return { inquiry, ended: 'gone' };
  }
  if (inquiry.resolution) {
    // A hint, which holds up no answer.
    if (by === 'asker') void noteWaited(database, inquiry.source.id, waitedMs).catch(() => undefined);
    return { inquiry, ended: 'resolved' };
  }
  if (waiters.stopping()) return { inquiry, ended: 'stopping' };
  if (by !== 'reader') {
    if (wait.againMs !== undefined) await renewLease(inquiries, inquiryId, wait.againMs);
    // While another call waits for the inquiry, its lease stays with that call.
    else if (waiters.count(inquiryId) === 0) await endLease(inquiries, inquiryId);
  }
  return { inquiry, ended: 'later' };
}

async function letGo(inquiries: Inquiries, wait: Wait, inquiry: Inquiry, waitedMs: number): Promise<void> {
  const { waiters } = inquiries;
  const { id, source, key } = inquiry;
  const words = wait.cancelled?.();
  // The same call, sent again meanwhile, may still want it.
  const takenBack = words !== undefined && !waiters.stopping() && waiters.count(id) === 0;
  await (takenBack
    ? withdrawIfOpen(inquiries, source.id, id, words || undefined)
    : releaseLease(inquiries, id, wait.graceMs));
  // With a key of its own a lost call comes back for its answer.
  const cameToNothing = takenBack || (key === undefined && words === undefined && waiters.count(id) === 0);
  if (!cameToNothing || waiters.stopping()) return;
  const ofMs = Date.parse(inquiry.deadlineAt) - Date.parse(inquiry.openedAt);
  // A hint, which holds up nobody.
  await noteGivenUp(inquiries.database, source.id, waitedMs, ofMs).catch(() => undefined);
}

export type Waiters = ReturnType<typeof createWaiters>;
type Waiter = Pick<Wait, 'by'> & { wake(handed?: Handed): void };

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
      let handed: Handed | undefined;
      const wake = (news?: Handed): void => {
        if (by !== 'reader') handed ??= news;
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
          : ((handed && reading.resolved(handed)) ?? (await reading.again(read, () => stopped)));
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
    hand: (inquiryId: string, handed: Handed): void => waiting.get(inquiryId)?.forEach(({ wake }) => wake(handed)),
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

const collect = statement<{ id: string; not_picked_up_at: number | null }>(
  `update inquiries set collected_at = ?2
  where id in (select key from json_each(?1)) and resolution is not null and collected_at is null
  returning id, not_picked_up_at`,
);

export type Collected = ReturnType<typeof createCollected>;

/**
 * Resolutions whose asker has them: a re-issued call may not get them again, sealed values are erased soon. Written in
 * batches, one after the other; what is asked in between is answered from memory. People are told of what was
 * not collected in time.
 */
export function createCollected(
  { database, log, announce }: { database: Database; log: Log; announce?: () => Announce },
  { after }: Pick<Timers, 'after'> = TIMERS,
) {
  const pending = new Set<string>();
  let cancel: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();

  const write = async (ids: string[]) => {
    const { rows } = await database.steps(() => commitWith({ rows: collect(keys(ids), database.clock.now()) }));
    for (const { id, not_picked_up_at: late } of rows)
      if (late !== null && announce) void tellPickedUp({ database, announce: announce() }, id).catch(() => undefined);
    return rows;
  };
  const flush = async (): Promise<void> => {
    const ids = [...pending];
    if (ids.length === 0) return;
    try {
      await write(ids);
      for (const id of ids) pending.delete(id);
    } catch (error) {
      log.warn({ err: error }, 'could not note what was collected; trying again');
      schedule(1000);
    }
  };
  const flushNext = (): Promise<void> => {
    cancel?.();
    cancel = undefined;
    return (writing = writing.then(flush));
  };
  const schedule = (ms: number): void => {
    cancel ??= after(ms, () => void flushNext());
  };
  return {
    /** The reply that carried this resolution was written in full. */
    add(inquiryId: string): void {
      pending.add(inquiryId);
      schedule(FLUSH_MS);
    },
    /** Whether this call collected the first of these, by which an ask is found again; those of one moment are written together. */
    once: batched(ONCE, async (calls: string[][]) => {
      const fresh = new Set((await write(calls.flat())).map(({ id }) => id));
      // Of two calls that want the same, the first one has it.
      return calls.map(([first = '']) => fresh.delete(first));
    }),
    /** Collected on this node and perhaps not yet in the database. */
    has: (inquiryId: string): boolean => pending.has(inquiryId),
    async stop(): Promise<void> {
      await flushNext();
      cancel?.();
    },
  };
}

/** Where a reply is written: `finish` says that all of it was. */
type Reply = { once(event: 'finish', then: () => void): unknown };

/** Notes a resolution as collected once the reply that carries it was written in full. */
export function collectWith(
  { collected }: Pick<Inquiries, 'collected'>,
  reply: Reply,
  { id, resolution }: { id: string; resolution?: unknown },
): void {
  if (resolution !== undefined) reply.once('finish', () => collected.add(id));
}

/**
 * Collects what an ask was resolved with at once: true for the one call on all nodes that may act on it. False when its
 * first inquiry was collected before, or is open. Written before it returns, so that no crash lets a second call act (ASK5).
 */
export async function collectOnce({ collected }: Inquiries, ...inquiryIds: string[]): Promise<boolean> {
  const [first = ''] = inquiryIds;
  return !collected.has(first) && collected.once(inquiryIds);
}
