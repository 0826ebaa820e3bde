import { HOUR_MS } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';

// Longer than access requests are counted, and so that who comes a little late is told why.
const KEEP_MS = HOUR_MS;

/** Removes links and access requests that ran out more than an hour ago; returns how many. */
export async function sweepEnrolments(database: Database): Promise<number> {
  const removed = await database.transaction((trx) =>
    trx
      .deleteFrom('enrolments')
      .where('expires_at', '<=', database.clock.now() - KEEP_MS)
      .returning('id')
      .execute(),
  );
  return removed.length;
}
