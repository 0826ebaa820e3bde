import { idsOf } from '../../inquiries/asked.ts';
import type { Closing, Store } from '../../inquiries/inquiries.ts';
import { LEASE_MS, tellAsker, WAITING_MS } from '../../inquiries/lease.ts';
import { BROKEN_MS } from './questions.ts';

/** A lease that its node has not renewed for so long is of a node that is gone, or hangs; it renews them every 15 s. */
const SILENT_MS = WAITING_MS + 10_000;

/** After a start: what streams asked that were cut with the hub stays open for as long as after any cut; devices close it. */
export async function keepCut(inquiries: Closing): Promise<void> {
  const { database } = inquiries;
  const until = database.clock.now() + BROKEN_MS;
  await database.transaction((trx) =>
    trx
      .updateTable('inquiries')
      .set({ lease_until: until })
      .where('resolution', 'is', null)
      .where('lease_until', '<', until)
      .where('source_id', 'in', relays(trx))
      .execute(),
  );
  await noteLost(inquiries, BROKEN_MS);
}

/**
 * Devices close what was asked in streams of a node that renews no lease any more. Any node may say so; should that one
 * only have hung, its next renewal opens them again.
 */
export async function noteLost(inquiries: Closing, leftMs = LEASE_MS - SILENT_MS): Promise<void> {
  const { database } = inquiries;
  const now = Math.round(database.clock.now());
  const silent = await database.read
    .selectFrom('inquiries')
    .select('id')
    .where('resolution', 'is', null)
    .where('lease_until', '<=', now + leftMs)
    .where('asker_gone_at', 'is', null)
    .where('source_id', 'in', relays(database.read))
    .execute();
  if (silent.length === 0) return;
  const gone = await database.transaction((trx) =>
    trx
      .updateTable('inquiries')
      .set({ asker_gone_at: now })
      .where('id', 'in', idsOf(silent))
      .where('resolution', 'is', null)
      .where('lease_until', '<=', now + leftMs)
      .where('asker_gone_at', 'is', null)
      .returning('id')
      .execute(),
  );
  for (const { id } of gone) await tellAsker(inquiries, id, now);
}

function relays(reader: Store['database']['read']) {
  return reader.selectFrom('connections').select('source_id').where('kind', '=', 'chatcompletions');
}
