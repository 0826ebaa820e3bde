import type { Inquiry } from '#shared/inquiry.ts';
import { batched } from '../platform/batched.ts';
import { TIMERS, type Timers } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { commitWith, statement } from '../platform/steps.ts';
import type { Announce } from './announce.ts';
import { readRecipients } from './versions.ts';

const FLUSH_MS = 20;
const ONCE = { most: 100, restMs: 5 };

const collect = statement<{ id: string; not_picked_up_at: number | null }>(
  `update inquiries set collected_at = ?2
  where id in {keys ?1} and resolution is not null and collected_at is null
  returning id, not_picked_up_at`,
);
const noteLate = statement<{ id: string }>(
  `update inquiries set pickup_due_at = null, not_picked_up_at = ?2
  where id = ?1 and pickup_due_at is not null and collected_at is null returning id`,
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
    const { rows } = await database.steps(() => commitWith({ rows: collect(ids, database.clock.now()) }));
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
type Written = { once(event: 'finish', then: () => void): unknown };

/** Notes a resolution as collected once the reply that carries it was written in full. */
export function collectWith(
  { collected }: { collected: Pick<Collected, 'add'> },
  reply: Written,
  { id, resolution }: { id: string; resolution?: unknown },
): void {
  if (resolution !== undefined) reply.once('finish', () => collected.add(id));
}

/** The same for one that is read by itself: a part of what a framework asked is no reply to it, which is collected whole. */
export function collectRead(
  inquiries: Parameters<typeof collectWith>[0],
  reply: Written,
  inquiry: Pick<Inquiry, 'id' | 'resolution' | 'dialect' | 'group'>,
): void {
  if (!(inquiry.dialect && inquiry.group)) collectWith(inquiries, reply, inquiry);
}

/**
 * Collects what an ask was resolved with at once: true for the one call on all nodes that may act on it. False when its
 * first inquiry was collected before, or is open. Written before it returns, so that no crash lets a second call act (ASK5).
 */
export async function collectOnce({ collected }: { collected: Collected }, ...inquiryIds: string[]): Promise<boolean> {
  const [first = ''] = inquiryIds;
  return !collected.has(first) && collected.once(inquiryIds);
}

/** Notes that nobody picked up in time what was answered, and tells those who were asked. */
export async function noteNotPickedUp(
  { database, announce }: { database: Database; announce: Announce },
  inquiryId: string,
): Promise<void> {
  const personIds = await database.steps(function* () {
    const people = yield* readRecipients(inquiryId);
    const { rows } = yield* commitWith({ rows: noteLate(inquiryId, database.clock.now()) });
    return rows.length > 0 ? people : [];
  });
  announce.pickedUp({ inquiryId, personIds, pickedUp: false });
}

/** Tells those who were asked that what was not picked up in time was picked up after all. */
async function tellPickedUp(inquiries: { database: Database; announce: Announce }, inquiryId: string): Promise<void> {
  const personIds = await inquiries.database.steps(() => readRecipients(inquiryId));
  inquiries.announce.pickedUp({ inquiryId, personIds, pickedUp: true });
}
