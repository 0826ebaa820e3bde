import type { Transaction } from 'kysely';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/** Stores a value of the hub itself under this name, in place of the one that stands. */
export async function store(trx: Transaction<Schema>, name: string, value: string): Promise<void> {
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
