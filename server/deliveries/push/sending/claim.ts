import type { Database, Transaction } from '../../../platform/database.ts';
import { unleased, type Busy, type Queue } from '../../worker.ts';

/** One device's subscription, leased; its group is the host of its push service. */
export type DeviceQueue = Queue & {
  deviceId: string;
  personId: string;
  endpoint: string;
  keys: { p256dh: string; auth: string };
};

/** Leases a device that is owed a push, or finds none. */
export async function claimDevice(
  database: Database,
  turn: { now: number; until: number; busy: Busy },
): Promise<DeviceQueue | undefined> {
  const { now, until, busy } = turn;
  const row = await database.read
    .selectFrom('subscriptions')
    .innerJoin('devices', 'devices.id', 'subscriptions.device_id')
    .select(['device_id', 'endpoint', 'p256dh', 'auth', 'host', 'devices.person_id'])
    .where(unleased(now))
    .where('device_id', 'in', (eb) => eb.selectFrom('pushes').select('device_id').where('due_at', '<=', now))
    .$if(busy.groups.length > 0, (rows) => rows.where('host', 'not in', busy.groups))
    .$if(busy.keys.length > 0, (rows) => rows.where('device_id', 'not in', busy.keys))
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { device_id: deviceId, host, endpoint, p256dh, auth, person_id: personId } = row;
  const { numUpdatedRows } = await database.transaction((trx) =>
    trx
      .updateTable('subscriptions')
      .set({ claimed_until: until })
      .where('device_id', '=', deviceId)
      .where('endpoint', '=', endpoint)
      .where(unleased(now))
      .executeTakeFirst(),
  );
  // Another node was quicker, or the device subscribed anew.
  if (numUpdatedRows === 0n)
    return claimDevice(database, { ...turn, busy: { ...busy, keys: [...busy.keys, deviceId] } });
  return { key: deviceId, group: host, until, deviceId, personId, endpoint, keys: { p256dh, auth } };
}

/** Gives a device back before its lease runs out. */
export async function releaseDevice(trx: Transaction, { deviceId, until }: DeviceQueue): Promise<void> {
  await trx
    .updateTable('subscriptions')
    .set({ claimed_until: null })
    .where('device_id', '=', deviceId)
    .where('claimed_until', '=', until)
    .execute();
}

/** When the next push falls due. */
export async function nextDue(database: Database, now: number): Promise<number | undefined> {
  const row = await database.read
    .selectFrom('pushes')
    .select(({ fn }) => fn.min('due_at').as('at'))
    .where('due_at', '>', now)
    .executeTakeFirst();
  return row?.at === null || row?.at === undefined ? undefined : Number(row.at);
}
