import type { z } from 'zod';
import type { ChangeMe, Person } from '#shared/wire.ts';
import type { Database } from '../platform/database.ts';
import { claimHandle } from './handles.ts';
import { changePreferences } from './preferences.ts';
import { personOf, readPerson, unknownPerson } from './store.ts';

/** Changes what a person may change of themselves; 409 `handle.taken`. */
export async function changePerson(
  database: Database,
  personId: string,
  { preferences, ...change }: z.infer<typeof ChangeMe>,
): Promise<Person> {
  return database.transaction(async (trx) => {
    const person = await readPerson(trx, personId);
    if (change.handle !== undefined && change.handle !== person.handle) await claimHandle(trx, change.handle);
    if (preferences !== undefined) await changePreferences(trx, personId, preferences);
    if (Object.keys(change).length === 0) return person;
    const row = await trx
      .updateTable('people')
      .set(change)
      .where('id', '=', personId)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw unknownPerson();
    return personOf(row);
  });
}
