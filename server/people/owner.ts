import type { Kysely } from 'kysely';
import { newId } from '#shared/ids.ts';
import type { Person } from '#shared/wire.ts';
import type { Database } from '../platform/database.ts';
import type { Schema } from '../platform/schema.ts';
import { viewPerson } from './store.ts';

/** Makes the owner on the first start, with the handle `owner` until they choose another; there is never a second one. */
export async function ensureOwner(database: Database): Promise<Person> {
  const present = await selectOwner(database.read).executeTakeFirst();
  if (present) return viewPerson(present);
  return database.transaction(async (trx) => {
    const now = database.clock.now();
    await trx
      .insertInto('people')
      .values({ id: newId('per', now), handle: 'owner', name: 'Owner', owner: 1, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return viewPerson(await selectOwner(trx).executeTakeFirstOrThrow());
  });
}

function selectOwner(db: Kysely<Schema>) {
  return db.selectFrom('people').selectAll().where('owner', '=', 1);
}
