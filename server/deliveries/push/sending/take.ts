import type { Database, Transaction } from '../../../platform/database.ts';
import { isApple } from '../protocol/request.ts';
import { releaseDevice, type DeviceQueue } from './claim.ts';
import { joinDigest, leaveDigest, type PushRow } from './digest.ts';

/** A push that is about to be sent; `before` is what was sent of it earlier. */
export type Taken = {
  subjectId: string;
  wanted: 'ask' | 'withdraw';
  before: string | null;
  giveUpAt: number;
  number: number;
  at: number;
};

/** Script cannot close an Apple notification in its first 30 s (WebKit bug 309940). */
export const APPLE_LOCK_MS = 35_000;
/** An attempt that nobody saw the end of: the hub was stopped between this row and the reply. */
export const UNFINISHED = 'not finished';

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
  const due: PushRow[] = [];
  for (const row of rows) {
    const later = laterFor(row, queue.endpoint, now);
    if (later === undefined) due.push(row);
    else await postpone(trx, row, later);
  }
  return due;
}

/** When a due row is to wait, or null when it is too late for it. */
function laterFor(row: PushRow, endpoint: string, now: number): number | null | undefined {
  if (row.give_up_at <= now) return null;
  const unlocked = (row.accepted_at ?? 0) + APPLE_LOCK_MS;
  return row.wanted === 'withdraw' && unlocked > now && isApple(endpoint) ? unlocked : undefined;
}

async function postpone(trx: Transaction, { subject_id, device_id }: PushRow, until: number | null): Promise<void> {
  await trx
    .updateTable('pushes')
    .set({ due_at: until })
    .where('subject_id', '=', subject_id)
    .where('device_id', '=', device_id)
    .execute();
}

async function begin(trx: Transaction, row: PushRow, queue: DeviceQueue, now: number): Promise<Taken> {
  const wanted = row.wanted as Taken['wanted'];
  const number = row.attempt_count + 1;
  await trx
    .updateTable('pushes')
    // Due again when the lease runs out, in case this process is gone by then.
    .set({ sent: wanted, due_at: queue.until, attempt_count: number })
    .where('subject_id', '=', row.subject_id)
    .where('device_id', '=', row.device_id)
    .execute();
  await trx
    .insertInto('push_attempts')
    .values({
      subject_id: row.subject_id,
      device_id: row.device_id,
      number,
      kind: wanted,
      at: now,
      status: null,
      error: UNFINISHED,
      ms: 0,
    })
    .execute();
  return { subjectId: row.subject_id, wanted, before: row.sent, giveUpAt: row.give_up_at, number, at: now };
}
