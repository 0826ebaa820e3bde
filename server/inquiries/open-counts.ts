import type { Transaction } from '../platform/database.ts';

const RECOUNT_MS = 10_000;

export type OpenCounts = {
  /** How many open inquiries a source has at most, one more included. */
  raise(trx: Transaction, sourceId: string, limit: number, now: number): Promise<number>;
};

/**
 * Counts open inquiries without counting rows at each ask: what was counted, plus what was asked on
 * this node since, is never too low for one node; it is counted anew above the limit, or after 10 s
 * because other nodes ask too.
 */
export function createOpenCounts(): OpenCounts {
  const known = new Map<string, { count: number; countedAt: number }>();
  return {
    async raise(trx, sourceId, limit, now) {
      let entry = known.get(sourceId);
      if (!entry || entry.countedAt < now - RECOUNT_MS || entry.count >= limit) {
        entry = { count: await countOpen(trx, sourceId), countedAt: now };
        known.set(sourceId, entry);
      }
      return ++entry.count;
    },
  };
}

async function countOpen(trx: Transaction, sourceId: string): Promise<number> {
  const { open } = await trx
    .selectFrom('inquiries')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('source_id', '=', sourceId)
    .where('resolution', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(open);
}
