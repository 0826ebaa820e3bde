import type { Database, Transaction } from '../../platform/database.ts';
import { unleased, type Claim, type Queue } from '../worker.ts';
import { isApple } from './protocol/request.ts';
import { delayedByQuiet, untell } from './quiet.ts';
import { joinDigest, leaveDigest, updatePushes, type PushRow } from './digest.ts';

/** One device's subscription, leased; its group is the host of its push service. */
export type DeviceQueue = Queue & {
  deviceId: string;
  personId: string;
  endpoint: string;
  keys: { p256dh: string; auth: string };
};

/** A push that is about to be sent; `before` is what was sent of it earlier. */
export type Taken = {
  subjectId: string;
  wanted: 'ask' | 'withdraw';
  before: string | null;
  giveUpAt: number;
  number: number;
};

/** Script cannot close an Apple notification in its first 30 s (WebKit bug 309940). */
export const APPLE_LOCK_MS = 35_000;
/** An attempt that nobody saw the end of: the hub was stopped between this row and the reply. */
export const UNFINISHED = 'not finished';

/** Leases a device with a due push, or finds none. */
export async function claimDevice(database: Database, turn: Claim): Promise<DeviceQueue | undefined> {
  const { now, until, busy } = turn;
  const row = await database.read
    .selectFrom('subscriptions')
    .innerJoin('devices', 'devices.id', 'subscriptions.device_id')
    .select(['device_id', 'endpoint', 'p256dh', 'auth', 'host', 'devices.person_id'])
    .where(unleased(now))
    // One look-up for each device: a list of all that is due would grow with what waits for one of them.
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('pushes')
          .select('subject_id')
          .whereRef('pushes.device_id', '=', 'subscriptions.device_id')
          .where('due_at', '<=', now),
      ),
    )
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

/**
 * Takes the next push of a leased device and writes its attempt down before the request, so that each attempt's
 * row stands for at most one request. From here on it counts as sent: a resolution that comes now withdraws it.
 * Undefined: nothing is due, and the device is given back.
 */
export function takeNext(database: Database, queue: DeviceQueue, now: number): Promise<Taken | undefined> {
  return database.transaction(async (trx) => {
    for (;;) {
      const due = await ready(trx, queue, now, database.engine === 'postgres');
      const first = due[0];
      if (first === undefined) {
        await releaseDevice(trx, queue);
        return undefined;
      }
      // Both only move rows to or from the digest; what is due is read anew then.
      if ((await leaveDigest(trx, queue.deviceId, due, now)) || (await joinDigest(trx, queue.deviceId, due, now)))
        continue;
      return begin(trx, first, queue, now);
    }
  });
}

async function ready(trx: Transaction, queue: DeviceQueue, now: number, lock: boolean): Promise<PushRow[]> {
  const rows = await trx
    .selectFrom('pushes')
    .selectAll()
    .where('device_id', '=', queue.deviceId)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('subject_id')
    .$if(lock, (query) => query.forUpdate())
    .execute();
  const delayed = await delayedByQuiet(trx, queue.personId, rows, now);
  if (delayed.size > 0) await untell(trx, queue.deviceId, [...delayed.keys()], now);
  const due: PushRow[] = [];
  for (const row of rows) {
    const own = laterFor(row, queue.endpoint, now);
    const later = own === undefined ? delayed.get(row.subject_id) : own;
    if (later === undefined) due.push(row);
    else await updatePushes(trx, queue.deviceId, [row.subject_id]).set({ due_at: later }).execute();
  }
  return due;
}

/** When a due row is to wait, or null when it is too late for it. */
function laterFor(row: PushRow, endpoint: string, now: number): number | null | undefined {
  if (row.give_up_at <= now) return null;
  const unlocked = (row.accepted_at ?? 0) + APPLE_LOCK_MS;
  return row.wanted === 'withdraw' && unlocked > now && isApple(endpoint) ? unlocked : undefined;
}

async function begin(trx: Transaction, row: PushRow, queue: DeviceQueue, now: number): Promise<Taken> {
  const wanted = row.wanted as Taken['wanted'];
  const number = row.attempt_count + 1;
  await updatePushes(trx, queue.deviceId, [row.subject_id])
    // Due again when the lease runs out, in case this process is gone by then.
    .set({ sent: wanted, due_at: queue.until, attempt_count: number })
    .execute();
  const { subject_id, device_id } = row;
  await trx
    .insertInto('push_attempts')
    .values({ subject_id, device_id, number, kind: wanted, at: now, status: null, error: UNFINISHED, ms: 0 })
    .execute();
  return { subjectId: row.subject_id, wanted, before: row.sent, giveUpAt: row.give_up_at, number };
}
