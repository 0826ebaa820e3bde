import { DAY_MS } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';

/** Drops notices older than `retainDays`, read or not. */
export async function forgetNotices(
  database: Database,
  retainDays: number,
  now = database.clock.now(),
): Promise<number> {
  const forgotten = await database.transaction((trx) =>
    trx
      .deleteFrom('notices')
      .where('created_at', '<', now - retainDays * DAY_MS)
      .executeTakeFirst(),
  );
  return Number(forgotten.numDeletedRows);
}
