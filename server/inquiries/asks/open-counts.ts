import { statement, together, type Steps } from '../../platform/steps.ts';

const RECOUNT_MS = 10_000;

export type OpenCounts = ReturnType<typeof createOpenCounts>;

const countOpen = statement<{ open: number }>(
  'select count(*) as open from inquiries where source_id = ?1 and resolution is null',
);

/**
 * Counts open inquiries without counting rows at each ask: what was counted, plus what was asked on
 * this node since, is never too low for one node; it is counted anew above the limit, or after 10 s
 * because other nodes ask too.
 */
export function createOpenCounts() {
  const known = new Map<string, { count: number; countedAt: number }>();
  return {
    /** How many open inquiries a source has at most, with so many `more`. Run twice, it is too high, and soon counted anew. */
    *raise(sourceId: string, { limit, now, more }: { limit: number; now: number; more: number }): Steps<number> {
      let entry = known.get(sourceId);
      if (!entry || entry.countedAt < now - RECOUNT_MS || entry.count + more > limit) {
        const [[row]] = yield* together(countOpen(sourceId));
        entry = { count: row?.open ?? 0, countedAt: now };
        known.set(sourceId, entry);
      }
      return (entry.count += more);
    },
  };
}
