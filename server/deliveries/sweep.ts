import { DAY_MS } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';

/** Drops the attempts older than 7 days; the deliveries stay as long as their inquiry. */
export async function sweepAttempts(database: Database, now = database.clock.now()): Promise<number> {
  const swept = await database.transaction((trx) =>
    trx
      .deleteFrom('attempts')
      .where('at', '<', now - 7 * DAY_MS)
      .executeTakeFirst(),
  );
  return Number(swept.numDeletedRows);
}

/** Gives up what was enqueued before an instant: after a restore, the endpoints heard it long ago. */
export async function giveUpOlder(database: Database, before: number): Promise<number> {
  const given = await database.transaction((trx) =>
    trx
      .updateTable('deliveries')
      .set({ state: 'failed', due_at: null, claimed_until: null })
      .where('state', '=', 'pending')
      .where('created_at', '<', before)
      .executeTakeFirst(),
  );
  return Number(given.numUpdatedRows);
}
