import { AppError } from '#shared/problem.ts';
import type { Database } from '../platform/database.ts';
import { readPerson } from './store.ts';

/**
 * Removes a person with their devices, links and places in groups, and returns the ids of the devices
 * that are out from now on. Throws 404 `person.unknown`, 409 `person.is_owner`.
 */
export async function removePerson(database: Database, personId: string): Promise<string[]> {
  return database.transaction(async (trx) => {
    const person = await readPerson(trx, personId);
    if (person.owner) throw new AppError(409, 'person.is_owner', 'The owner of this hub cannot be removed.');
    const devices = await trx.selectFrom('devices').select('id').where('person_id', '=', personId).execute();
    await trx.deleteFrom('people').where('id', '=', personId).where('owner', '=', 0).execute();
    return devices.map((device) => device.id);
  });
}
