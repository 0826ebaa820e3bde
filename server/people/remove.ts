import { AppError } from '#shared/problem.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { readPerson } from './store.ts';

/**
 * Withdraws, in the caller's transaction, some of what this person alone is asked; `more`: not yet all of it.
 * `announce` is for after the commit. The inquiries implement it.
 */
export type WithdrawAskedOf = (trx: Transaction, personId: string) => Promise<{ more: boolean; announce: () => void }>;

/**
 * Removes a person with their devices, links and places in groups, withdraws what only they are asked, and returns
 * the ids of the devices that are out from now on. Throws 404 `person.unknown`, 409 `person.is_owner`.
 */
export async function removePerson(database: Database, personId: string, withdraw: WithdrawAskedOf): Promise<string[]> {
  for (;;) {
    const { announce, devices } = await database.transaction(async (trx) => {
      // Takes the person's row first: nobody asks them between the last withdrawal and the end.
      await trx
        .updateTable('people')
        .set(({ ref }) => ({ version: ref('version') }))
        .where('id', '=', personId)
        .execute();
      const person = await readPerson(trx, personId);
      if (person.owner) throw new AppError(409, 'person.is_owner', 'The owner of this hub cannot be removed.');
      const withdrawn = await withdraw(trx, personId);
      if (withdrawn.more) return { ...withdrawn, devices: undefined };
      const rows = await trx.selectFrom('devices').select('id').where('person_id', '=', personId).execute();
      const devices = rows.map(({ id }) => id);
      // These rows do not reference their devices, and would go on to count as reached.
      if (devices.length > 0)
        await trx
          .deleteFrom('inquiry_devices')
          .where('device_id', 'in', devices)
          .where('inquiry_id', 'in', (eb) =>
            eb.selectFrom('recipients').select('inquiry_id').where('person_id', '=', personId),
          )
          .execute();
      await trx.deleteFrom('people').where('id', '=', personId).where('owner', '=', 0).execute();
      return { ...withdrawn, devices };
    });
    announce();
    if (devices) return devices;
  }
}
