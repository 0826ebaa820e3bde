import { batch, statement, type Steps } from '../platform/steps.ts';

const RECOUNT_MS = 10_000;

export type OpenCounts = ReturnType<typeof createOpenCounts>;

const countOpen = statement<{ open: number; bytes: number | string }>(
  `select count(*) as open, coalesce(sum(octet_length(asked) + octet_length(transport) + coalesce(octet_length(kept), 0)), 0)
  as bytes from inquiries where source_id = ?1 and resolution is null`,
);

/**
 * Counts open inquiries without counting rows at each ask: what was counted, plus what was asked on
 * this node since, is never too low for one node; it is counted anew above the limit, or after 10 s
 * because other nodes ask too.
 */
export function createOpenCounts() {
  const known = new Map<string, { count: number; bytes: number; countedAt: number }>();
  return {
    /** How many inquiries, and bytes of them, a source has open with so many `more`. Run twice, both are too high, and soon counted anew. */
    *raise(
      sourceId: string,
      asked: { limit: number; bytesLimit: number; now: number; more: number; moreBytes: number },
    ): Steps<{ count: number; bytes: number }> {
      const { limit, bytesLimit, now, more, moreBytes } = asked;
      let entry = known.get(sourceId);
      const isAbove = entry && (entry.count + more > limit || entry.bytes + moreBytes > bytesLimit);
      if (!entry || entry.countedAt < now - RECOUNT_MS || isAbove) {
        const {
          counts: [row],
        } = yield* batch({ counts: countOpen(sourceId) });
        entry = { count: Number(row?.open ?? 0), bytes: Number(row?.bytes ?? 0), countedAt: now };
        known.set(sourceId, entry);
      }
      entry.count += more;
      entry.bytes += moreBytes;
      return entry;
    },
  };
}
