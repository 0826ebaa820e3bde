import { DAY_MS } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';

const BATCH = 500;

/** Forgets inquiries `days` after their resolution, with all that hangs on them; open ones never. Returns how many. */
export async function forgetResolved(database: Database, days: number): Promise<number> {
  const before = database.clock.now() - days * DAY_MS;
  let forgotten = 0;
  for (;;) {
    const rows = await database.transaction(async (trx) => {
      const old = await trx
        .selectFrom('inquiries')
        .select('id')
        .where('resolved_at', '<', before)
        .limit(BATCH)
        .execute();
      const ids = old.map(({ id }) => id);
      if (ids.length > 0) await trx.deleteFrom('inquiries').where('id', 'in', ids).execute();
      return ids.length;
    });
    forgotten += rows;
    if (rows < BATCH) return forgotten;
  }
}
