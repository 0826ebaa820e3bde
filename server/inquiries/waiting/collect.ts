import { TIMERS, type Timers } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Inquiries } from '../inquiries.ts';

const FLUSH_MS = 20;

/** Resolutions whose asker has them: a re-issued call may not get them again, sealed values are erased soon. */
export type Collected = {
  /** The reply that carried this resolution was written in full. */
  add(inquiryId: string): void;
  /** Collected on this node and perhaps not yet in the database. */
  has(inquiryId: string): boolean;
  stop(): Promise<void>;
};

/** Writes what was collected in batches, one after the other; what is asked in between is answered from memory. */
export function createCollected(
  { database, log }: { database: Database; log: Log },
  { after }: Pick<Timers, 'after'> = TIMERS,
): Collected {
  const pending = new Set<string>();
  let cancel: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();

  const flush = async (): Promise<void> => {
    const ids = [...pending];
    if (ids.length === 0) return;
    try {
      await database.transaction((trx) =>
        trx
          .updateTable('inquiries')
          .set({ collected_at: database.clock.now() })
          .where('id', 'in', ids)
          .where('collected_at', 'is', null)
          .execute(),
      );
      for (const id of ids) pending.delete(id);
    } catch (error) {
      log.warn({ err: error }, 'could not note what was collected; trying again');
      schedule(1000);
    }
  };
  const unschedule = (): void => {
    cancel?.();
    cancel = undefined;
  };
  const flushNext = (): Promise<void> => {
    unschedule();
    return (writing = writing.then(flush));
  };
  const schedule = (ms: number): void => {
    cancel ??= after(ms, () => void flushNext());
  };
  return {
    add(inquiryId) {
      pending.add(inquiryId);
      schedule(FLUSH_MS);
    },
    has: (inquiryId) => pending.has(inquiryId),
    async stop() {
      await flushNext();
      unschedule();
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
 * Collects a resolution at once: true for the one call on all nodes that may act on it. False when it was collected
 * before, or there is none. Written before it returns, so that no crash lets a second call act (ASK5).
 */
export async function collectOnce({ database, collected }: Inquiries, inquiryId: string): Promise<boolean> {
  if (collected.has(inquiryId)) return false;
  const first = await database.transaction((trx) =>
    trx
      .updateTable('inquiries')
      .set({ collected_at: database.clock.now() })
      .where('id', '=', inquiryId)
      .where('resolution', 'is not', null)
      .where('collected_at', 'is', null)
      .returning('id')
      .executeTakeFirst(),
  );
  return first !== undefined;
}
