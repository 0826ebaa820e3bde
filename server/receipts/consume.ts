import { AppError } from '#shared/problem.ts';
import { DAY_MS } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Claims } from './claims.ts';

/** So long after its end: a clock that is set forward and back again makes no receipt new. */
const KEPT_MS = 30 * DAY_MS;

/**
 * Uses up one of these calls of a receipt, the first that is left, on whichever node. Throws 409 where all of them ran: a
 * receipt lets each call that it names run once.
 */
export async function consume(
  database: Database,
  { jti, exp = 0 }: Pick<Claims, 'jti' | 'exp'>,
  calls: number[],
  now: number,
): Promise<void> {
  for (const call of calls) {
    const row = { receipt: jti, call, at: now, forget_at: exp * 1000 + KEPT_MS };
    const taken = await database.transaction((trx) =>
      trx
        .insertInto('consumed_receipts')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .returning('call')
        .executeTakeFirst(),
    );
    if (taken) return;
  }
  throw new AppError(409, 'receipt.used', 'By this receipt this call ran already.');
}

/** Forgets what was used of receipts that have ended since. */
export async function forgetConsumed(database: Database): Promise<void> {
  const now = database.clock.now();
  await database.transaction((trx) => trx.deleteFrom('consumed_receipts').where('forget_at', '<', now).execute());
}
