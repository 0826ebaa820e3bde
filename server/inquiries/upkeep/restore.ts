import { giveUpOlder } from '../../deliveries/sweep.ts';
import type { Inquiries } from '../inquiries.ts';
import { announceResolved, resolve } from '../resolve.ts';
import { selectInquiries } from '../store.ts';

/**
 * After a restore from a backup: withdraws what was open, because its askers have gone on since, and
 * gives up webhooks that were due, because they may have been sent. Returns how many were withdrawn.
 */
export async function restore(inquiries: Inquiries): Promise<number> {
  const { database } = inquiries;
  await giveUpOlder(database, database.clock.now());
  const open = await database.read.selectFrom('inquiries').select('id').where('resolution', 'is', null).execute();
  for (const { id } of open) {
    const resolved = await database.transaction(async (trx) => {
      const row = await selectInquiries(trx).where('inquiries.id', '=', id).executeTakeFirstOrThrow();
      const outcome = {
        outcome: 'withdrawn' as const,
        message: 'the hub was restored from a backup',
        by: { kind: 'source' as const, label: row.source_name },
      };
      return resolve(trx, row, outcome, { clock: database.clock, due: 'any time' });
    });
    if (resolved) announceResolved(inquiries, resolved);
  }
  return open.length;
}
