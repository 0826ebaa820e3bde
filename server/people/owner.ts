import type { Kysely } from 'kysely';
import { newId } from '#shared/ids.ts';
import type { Person } from '#shared/wire.ts';
import type { Database } from '../platform/database.ts';
import type { Schema } from '../platform/schema.ts';
import { personOf } from './store.ts';

/** Makes the owner on the first start, with the handle `owner` until they choose another; there is never a second one. */
export async function ensureOwner(database: Database): Promise<Person> {
  const present = await findOwner(database.read);
  if (present) return present;
  return database.transaction(async (trx) => {
    const now = database.clock.now();
    await trx
      .insertInto('people')
      .values({ id: newId('per', now), handle: 'owner', name: 'Owner', owner: 1, locale: null, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return ownerOf(trx);
  });
}

/** The owner; `ensureOwner` ran before anything can ask. */
export async function ownerOf(db: Kysely<Schema>): Promise<Person> {
  const owner = await findOwner(db);
  if (!owner) throw new Error('The hub has no owner.');
  return owner;
}

async function findOwner(db: Kysely<Schema>): Promise<Person | undefined> {
  const row = await db.selectFrom('people').selectAll().where('owner', '=', 1).executeTakeFirst();
  return row && personOf(row);
}
