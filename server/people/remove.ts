import { sql } from 'kysely';
import { AppError } from '#shared/problem.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { deleteInParts, inParts } from '../platform/repeat.ts';
import { noteRemoved } from '../platform/removed.ts';
import { readPerson } from './store.ts';

/** How much of a person's past goes in one transaction. */
const PART = 500;

/** What becomes of what this person alone is asked; the inquiries implement it. */
export type WithdrawAskedOf = {
  /** The ids of some of it, as the caller's transaction sees it; without those that are `left`. */
  find(trx: Transaction, personId: string, left: string[]): Promise<string[]>;
  /** Withdraws each by itself; returns those that it had to leave, because what is stored of them is damaged. */
  withdraw(inquiryIds: string[]): Promise<string[]>;
};

/**
 * Removes a person with their devices, links and places in groups, withdraws what only they are asked, and returns
 * the ids of the devices that are out from now on. Throws 404 `person.unknown`, 409 `person.is_owner`.
 */
export async function removePerson(
  database: Database,
  personId: string,
  { find, withdraw }: WithdrawAskedOf,
): Promise<string[]> {
  const left: string[] = [];
  for (;;) {
    const { open, devices } = await database.transaction(async (trx) => {
      // Takes the person's row first: nobody asks them between the last withdrawal and the end.
      await trx
        .updateTable('people')
        .set(({ ref }) => ({ version: ref('version') }))
        .where('id', '=', personId)
        .execute();
      const person = await readPerson(trx, personId);
      if (person.owner) throw new AppError(409, 'person.is_owner', 'The owner of this hub cannot be removed.');
      const open = await find(trx, personId, left);
      if (open.length > 0 || (await hasLongPast(trx, personId))) return { open, devices: undefined };
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
      await noteLost(trx, personId, devices, database.clock.now());
      await trx.deleteFrom('people').where('id', '=', personId).where('owner', '=', 0).execute();
      return { open, devices };
    });
    if (devices) return devices;
    if (open.length > 0) left.push(...(await withdraw(open)));
    else await deletePast(database, personId);
  }
}

/** What goes with the person's row, and stands in the log. */
async function noteLost(trx: Transaction, personId: string, devices: string[], now: number): Promise<void> {
  const policies = await trx.selectFrom('policies').select('id').where('person_id', '=', personId).execute();
  const yolos = await trx.selectFrom('yolos').select('id').where('person_id', '=', personId).execute();
  await noteRemoved(trx, 'device', devices, now);
  await noteRemoved(
    trx,
    'policies',
    policies.map(({ id }) => id),
    now,
  );
  await noteRemoved(
    trx,
    'yolo',
    yolos.map(({ id }) => id),
    now,
  );
}

async function hasLongPast(trx: Transaction, personId: string): Promise<boolean> {
  const closed = trx.selectFrom('recipients').select('inquiry_id').where('person_id', '=', personId);
  const notices = trx.selectFrom('notice_recipients').select('notice_id').where('person_id', '=', personId);
  const some = [
    await closed.where('open', '=', 0).offset(PART).limit(1).executeTakeFirst(),
    await notices.offset(PART).limit(1).executeTakeFirst(),
  ];
  return some.some((row) => row !== undefined);
}

/** All that this person was asked and told, a part at a time: to delete it with the person would hold everybody up. */
async function deletePast(database: Database, personId: string): Promise<void> {
  await inParts(PART, () =>
    database.transaction(async (trx) => {
      const closed = trx.selectFrom('recipients').select('inquiry_id').where('person_id', '=', personId);
      const rows = await closed.where('open', '=', 0).limit(PART).execute();
      const ids = rows.map(({ inquiry_id }) => inquiry_id);
      if (ids.length === 0) return 0;
      await trx
        .deleteFrom('inquiry_devices')
        .where('inquiry_id', 'in', ids)
        .where('device_id', 'in', (eb) => eb.selectFrom('devices').select('id').where('person_id', '=', personId))
        .execute();
      await trx.deleteFrom('recipients').where('person_id', '=', personId).where('inquiry_id', 'in', ids).execute();
      return ids.length;
    }),
  );
  await deleteInParts(database, 'notice_recipients', ['person_id', 'notice_id'], sql`person_id = ${personId}`);
}
