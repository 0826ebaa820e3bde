import { sql } from 'kysely';
import type { Database } from '../../../platform/database.ts';

export const LEASE_MS = 30_000;

/** One device's subscription, leased: nobody else sends to it until then. */
export type Lane = {
  deviceId: string;
  personId: string;
  endpoint: string;
  keys: { p256dh: string; auth: string };
  until: number;
};

/** Leases a device that is owed a push for 30 s, or finds none. It goes to one claimer only, whatever races. */
export function claimDevice(database: Database, now: number): Promise<Lane | undefined> {
  return database.transaction(async (trx) => {
    const free = trx
      .selectFrom('subscriptions')
      .innerJoin('devices', 'devices.id', 'subscriptions.device_id')
      .select(['device_id', 'endpoint', 'p256dh', 'auth', 'devices.person_id'])
      .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', now)]))
      .where('device_id', 'in', (eb) => eb.selectFrom('pushes').select('device_id').where('due_at', '<=', now))
      .limit(1);
    const row = await (
      database.engine === 'postgres' ? free.forUpdate('subscriptions').skipLocked() : free
    ).executeTakeFirst();
    if (row === undefined) return undefined;
    const until = now + LEASE_MS;
    await trx
      .updateTable('subscriptions')
      .set({ claimed_until: until })
      .where('device_id', '=', row.device_id)
      .execute();
    return {
      deviceId: row.device_id,
      personId: row.person_id,
      endpoint: row.endpoint,
      keys: { p256dh: row.p256dh, auth: row.auth },
      until,
    };
  });
}

/** Gives a device back before its lease runs out. */
export async function releaseDevice(database: Database, { deviceId, until }: Lane): Promise<void> {
  await database.transaction((trx) =>
    trx
      .updateTable('subscriptions')
      .set({ claimed_until: null })
      .where('device_id', '=', deviceId)
      .where('claimed_until', '=', until)
      .execute(),
  );
}

/** When the earliest push can be sent next. */
export async function nextDue(database: Database): Promise<number | undefined> {
  const row = await database.read
    .selectFrom('pushes')
    .innerJoin('subscriptions', 'subscriptions.device_id', 'pushes.device_id')
    .select(sql<number | null>`min(case when claimed_until > due_at then claimed_until else due_at end)`.as('at'))
    .where('due_at', 'is not', null)
    .executeTakeFirst();
  return row?.at === null || row?.at === undefined ? undefined : Number(row.at);
}
