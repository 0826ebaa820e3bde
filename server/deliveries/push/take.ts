import type { Clock } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { LEASE_MS, unleased, type Claim, type Queue } from '../worker.ts';
import { isApple } from './protocol/request.ts';
import { delayedByQuiet, untell } from './quiet.ts';
import { firstDue, giveBack, lockDevice, PART, takeIn } from './due.ts';
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
/** How many due pushes of a device are looked at together. */
const AT_ONCE = 100;

/** Leases a device with a due push, or finds none. */
export async function claimDevice(database: Database, turn: Claim): Promise<DeviceQueue | undefined> {
  let found = await takeIn(database);
  for (let { busy } = turn; ;) {
    const row = await firstDue(database, { ...turn, busy });
    if (row === undefined) {
      if (found < PART) return undefined;
      // More are new than those: maybe some of a device that is free.
      found = await takeIn(database);
      continue;
    }
    const until = await lease(database, row, turn);
    if (until !== undefined) {
      const { device_id: deviceId, host: group, endpoint, p256dh, auth, person_id: personId } = row;
      return { key: deviceId, group, until, deviceId, personId, endpoint, keys: { p256dh, auth } };
    }
    // Another node was quicker, or the device subscribed anew.
    busy = { ...busy, keys: [...busy.keys, row.device_id] };
  }
}

async function lease(
  database: Database,
  { device_id: deviceId, endpoint }: { device_id: string; endpoint: string },
  { clock }: Pick<Claim, 'clock'>,
): Promise<number | undefined> {
  return database.transaction(async (trx) => {
    const now = clock.now();
    const until = now + LEASE_MS;
    const { numUpdatedRows } = await trx
      .updateTable('subscriptions')
      .set({ claimed_until: until, due_at: until })
      .where('device_id', '=', deviceId)
      .where('endpoint', '=', endpoint)
      .where('due_at', '<=', now)
      .where(unleased(now))
      .executeTakeFirst();
    return numUpdatedRows > 0n ? until : undefined;
  });
}

/** Gives a device back before its lease runs out. */
export async function releaseDevice(trx: Transaction, { deviceId, until }: DeviceQueue): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('subscriptions')
    .set({ claimed_until: null })
    .where('device_id', '=', deviceId)
    .where('claimed_until', '=', until)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await giveBack(trx, deviceId);
}

/**
 * Takes the next push of a leased device and writes its attempt down before the request, so that each attempt's
 * row stands for at most one request. From here on it counts as sent: a resolution that comes now withdraws it.
 * Undefined: nothing is due, and the device is given back; or its lease ended, or was moved with the clock.
 */
export async function takeNext(database: Database, queue: DeviceQueue, clock: Clock): Promise<Taken | undefined> {
  for (;;) {
    const taken = await database.transaction((trx) => takePart(trx, queue, clock, database.engine));
    if (taken !== 'moved') return taken;
  }
}

/** `moved`: these are to wait, or are part of the digest by now; what is due is to be read anew. */
async function takePart(
  trx: Transaction,
  queue: DeviceQueue,
  clock: Clock,
  engine: Database['engine'],
): Promise<Taken | undefined | 'moved'> {
  const device = await lockDevice(trx, engine, queue.deviceId);
  if (device?.claimed_until !== queue.until) return undefined;
  if (device.endpoint !== queue.endpoint) {
    // It subscribed anew: what is left goes there.
    await releaseDevice(trx, queue);
    return undefined;
  }
  const now = clock.now();
  const { due, moved } = await ready(trx, queue, now, engine === 'postgres');
  const first = due[0];
  if (first === undefined) {
    if (moved) return 'moved';
    await releaseDevice(trx, queue);
    return undefined;
  }
  if ((await leaveDigest(trx, queue.deviceId, due, now)) || (await joinDigest(trx, queue.deviceId, due, now)))
    return 'moved';
  return begin(trx, first, queue, now);
}

async function ready(trx: Transaction, queue: DeviceQueue, now: number, lock: boolean) {
  const rows = await trx
    .selectFrom('pushes')
    .selectAll()
    .where('device_id', '=', queue.deviceId)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('subject_id')
    .limit(AT_ONCE)
    .$if(lock, (query) => query.forUpdate())
    .execute();
  const delayed = await delayedByQuiet(trx, queue.personId, rows, now);
  if (delayed.size > 0) await untell(trx, queue.deviceId, [...delayed.keys()], now);
  const { due = [], ...moved } = Object.groupBy(rows, (row) => {
    const own = laterFor(row, queue.endpoint, now);
    return String((own === undefined ? delayed.get(row.subject_id) : own) ?? (own === null ? 'never' : 'due'));
  });
  for (const [later, some = []] of Object.entries(moved))
    await updatePushes(
      trx,
      queue.deviceId,
      some.map(({ subject_id }) => subject_id),
    )
      .set({ due_at: later === 'never' ? null : Number(later) })
      .execute();
  return { due, moved: due.length < rows.length };
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
