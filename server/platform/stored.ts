import { AppError } from '#shared/problem.ts';
import type { Database, Transaction } from './database.ts';

/** Stores a value of the hub itself under this name, in place of the one that stands. */
export async function store(trx: Transaction, name: string, value: string): Promise<void> {
  await trx
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Stores a value of the hub itself unless one stands under this name; returns the one that every node then reads. */
export function storeOnce(database: Pick<Database, 'transaction'>, name: string, value: string): Promise<string> {
  return database.transaction(async (trx) => {
    await trx
      .insertInto('settings')
      .values({ name, value })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const row = await trx.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirstOrThrow();
    return row.value;
  });
}

const RETAIN_DAYS = 'retain_days';

/**
 * Remembers for how many days this database keeps its history, for all nodes. Throws where a node would keep it for fewer
 * and erase what is older, unless its operator wants that.
 */
export function retainHistory(database: Pick<Database, 'transaction'>, days: number, shrink: boolean): Promise<void> {
  return database.transaction(async (trx) => {
    const row = await trx.selectFrom('settings').select('value').where('name', '=', RETAIN_DAYS).executeTakeFirst();
    const before = Number(row?.value ?? 0);
    if (days < before && !shrink)
      throw new AppError(
        500,
        'history.shrinks',
        `RETAIN_DAYS is ${days}, and this history was kept for ${before} days: what is older would be erased for good. Set it to ${before} again, or start once with "beckon serve --shrink-history".`,
      );
    if (days !== before) await store(trx, RETAIN_DAYS, String(days));
  });
}

/** Holds the lock of this name until the transaction ends: what it then reads, no other holder changes. */
export async function lock(trx: Transaction, name: string): Promise<void> {
  await store(trx, `lock.${name}`, '');
}
