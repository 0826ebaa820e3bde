import { sql } from 'kysely';
import { newId } from '#shared/ids.ts';
import { DAY_MS } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { deleteInParts, inParts } from '../../platform/repeat.ts';
import { dropLost } from './due.ts';
import { DIGEST } from './digest.ts';
import { isQuiet } from './quiet.ts';

const TEST_LIFE_MS = 3_600_000;
const AT_ONCE = 500;

/** Wants a visible test on a device that has a subscription; returns its id. */
export async function wantTest(trx: Transaction, deviceId: string, now: number): Promise<string> {
  const id = newId('tst', now);
  await trx
    .insertInto('pushes')
    .values({ subject_id: id, device_id: deviceId, wanted: 'ask', due_at: now, give_up_at: now + TEST_LIFE_MS })
    .execute();
  return id;
}

/** Wants the weekly test of every device whose last one is a week old, a part at a time; returns on how many. */
export async function wantWeeklyTests(database: Database, now = database.clock.now()): Promise<number> {
  const weekAgo = sql<boolean>`coalesce(tested_at, subscriptions.created_at) <= ${now - 7 * DAY_MS}`;
  let after = '';
  let wanted = 0;
  await inParts(AT_ONCE, async () => {
    const some = await database.read
      .selectFrom('subscriptions')
      .innerJoin('devices', 'devices.id', 'device_id')
      .innerJoin('people', 'people.id', 'devices.person_id')
      .select(['device_id', 'people.preferences'])
      .where('weekly_test', '=', 1)
      .where(weekAgo)
      .where('device_id', '>', after)
      .orderBy('device_id')
      .limit(AT_ONCE)
      .execute();
    after = some.at(-1)?.device_id ?? after;
    // Where it is quiet the next hours' turns look again.
    const awake = some.filter(({ preferences }) => !isQuiet(preferences, now)).map(({ device_id }) => device_id);
    if (awake.length > 0)
      wanted += await database.transaction(async (trx) => {
        const devices = await trx
          .updateTable('subscriptions')
          .set({ tested_at: now })
          .where('device_id', 'in', awake)
          .where(weekAgo)
          .returning('device_id')
          .execute();
        for (const { device_id } of devices) await wantTest(trx, device_id, now);
        return devices.length;
      });
    return some.length;
  });
  return wanted;
}

/** Drops attempts, tests and digests after 7 days, and subscriptions of devices that are out. */
export async function sweepPushes(database: Database, now = database.clock.now()): Promise<void> {
  const old = now - 7 * DAY_MS;
  const gone = sql`device_id in (select id from devices where revoked_at is not null or expires_at <= ${now})`;
  await deleteInParts(database, 'subscriptions', ['device_id'], gone);
  await dropLost(database);
  await deleteInParts(database, 'push_attempts', ['subject_id', 'device_id', 'number'], sql`at < ${old}`);
  // By the key: nothing that grows is looked through.
  const own = sql`(subject_id = ${DIGEST} or (subject_id >= 'tst_' and subject_id < 'tsu'))`;
  const past = sql`due_at is null and give_up_at < ${old} and ${own}`;
  await deleteInParts(database, 'pushes', ['subject_id', 'device_id'], past);
}
