import { sql } from 'kysely';
import type { Database, Transaction } from '../../platform/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Sent } from '../../platform/outbound/post.ts';
import { backOff, INTERNAL_ERROR, type Tried } from '../worker.ts';
import { dropLost, lockDevice } from './due.ts';
import { DIGEST, updatePushes } from './digest.ts';
import type { DeviceQueue, Taken } from './take.ts';

export type PushOutcome = 'accepted' | 'gone' | 'refused' | 'too large' | 'again';
type Attempt = Tried & { queue: DeviceQueue; taken: Taken };

/** 2 s after the first failure, doubled with each other. */
const WAITS = { firstMs: 2_000, longestMs: 600_000 };
/** However long a push service says that it is to be left alone. */
const LONGEST_REST_MS = 3_600_000;

/** Records what became of one attempt and what follows from it, in one transaction. */
export async function settle(database: Database, log: Log, attempt: Attempt): Promise<PushOutcome> {
  const { queue, taken, sent, ms } = attempt;
  const outcome = toOutcome(sent);
  if (outcome === 'too large' || outcome === 'refused') {
    log.error({ subject: taken.subjectId, host: queue.group, ...sent }, 'a push was refused');
  }
  await database.transaction(async (trx) => {
    const device = await lockDevice(trx, database.engine, queue.deviceId);
    await trx
      .updateTable('push_attempts')
      .set({ status: sent.status ?? null, error: sent.error ?? null, ms })
      .where('subject_id', '=', taken.subjectId)
      .where('device_id', '=', queue.deviceId)
      .where('number', '=', taken.number)
      .execute();
    if (outcome === 'accepted') await accepted(trx, attempt);
    else if (outcome === 'gone') await gone(trx, queue);
    else if (device !== undefined && device.endpoint !== queue.endpoint) await failedElsewhere(trx, attempt);
    else await failed(trx, attempt, outcome);
  });
  if (outcome === 'gone') await dropLost(database, queue.deviceId);
  return outcome;
}

/**
 * What a push service's reply means (RFC 8030): only 404 and 410 say that the subscription is gone; a refused
 * key or request is the hub's own trouble and deletes nothing.
 */
function toOutcome({ status, error }: Sent): PushOutcome {
  if (error?.startsWith('refused')) return 'refused';
  if (status === undefined || error !== undefined) return 'again';
  if (status >= 200 && status < 300) return 'accepted';
  if (status === 404 || status === 410) return 'gone';
  if (status === 413) return 'too large';
  return status === 408 || status === 429 || status >= 500 ? 'again' : 'refused';
}

/** Undoes the taking of a push that turned out not to be wanted any more: there was no request. */
export async function leaveUnsent(database: Database, queue: DeviceQueue, taken: Taken): Promise<void> {
  await database.transaction(async (trx) => {
    await lockDevice(trx, database.engine, queue.deviceId);
    await trx
      .deleteFrom('push_attempts')
      .where('subject_id', '=', taken.subjectId)
      .where('device_id', '=', queue.deviceId)
      .where('number', '=', taken.number)
      .execute();
    await unsend(trx, queue, taken);
    // What was wanted once more meanwhile is due.
    await same(trx, queue, taken).where('due_at', '=', queue.until).set({ due_at: null }).execute();
  });
}

async function accepted(trx: Transaction, { queue, taken, clock }: Attempt): Promise<void> {
  const now = clock.now();
  await row(trx, queue, taken).set({ accepted_at: now }).execute();
  await same(trx, queue, taken).set({ due_at: null }).execute();
  await subscription(trx, queue).set({ trouble: null }).where('trouble', 'is not', null).execute();
  if (taken.wanted !== 'ask') return;
  const inDigest = trx
    .selectFrom('pushes')
    .select('subject_id')
    .where('device_id', '=', queue.deviceId)
    .where('sent', '=', DIGEST)
    .where(sql<boolean>`(due_at is not null or wanted = 'ask')`);
  await trx
    .updateTable('inquiry_devices')
    .set(({ fn, val }) => ({
      told_at: fn.coalesce('told_at', val(now)),
      accepted_at: fn.coalesce('accepted_at', val(now)),
    }))
    .where('device_id', '=', queue.deviceId)
    .where('inquiry_id', 'in', taken.subjectId === DIGEST ? inDigest : [taken.subjectId])
    .execute();
}

/** Only a subscription that the push service forgot goes; one that was made anew meanwhile stays. */
async function gone(trx: Transaction, { deviceId, endpoint }: DeviceQueue): Promise<void> {
  await trx.deleteFrom('subscriptions').where('device_id', '=', deviceId).where('endpoint', '=', endpoint).execute();
}

async function failed(trx: Transaction, attempt: Attempt, outcome: PushOutcome): Promise<void> {
  const { queue, taken, sent, chance, clock } = attempt;
  const now = clock.now();
  const restMs = sent.retryAfterMs === undefined ? undefined : Math.min(sent.retryAfterMs, LONGEST_REST_MS);
  const again = backOff({ tries: taken.number, now, chance, retryAfterMs: restMs, ...WAITS });
  if (neverArrived(sent)) await unsend(trx, queue, taken);
  await same(trx, queue, taken)
    .set({ due_at: outcome === 'again' && again < taken.giveUpAt ? again : null })
    .execute();
  if (outcome === 'refused')
    await subscription(trx, queue)
      .set({ trouble: toTrouble(sent) })
      .execute();
  if (restMs === undefined) return;
  await subscription(trx, queue)
    .set({ rest_until: now + restMs })
    .execute();
}

/** The device subscribed anew meanwhile: what another push service says of its own is nothing to wait for. */
async function failedElsewhere(trx: Transaction, { queue, taken, sent, clock }: Attempt): Promise<void> {
  if (neverArrived(sent)) await unsend(trx, queue, taken);
  await same(trx, queue, taken).set({ due_at: clock.now() }).execute();
}

/** Without a status nobody knows whether a request arrived, so it counts as sent and will be withdrawn. */
function neverArrived({ status, error }: Sent): boolean {
  return status !== undefined || error === INTERNAL_ERROR || error?.startsWith('refused') === true;
}

/** Why nothing arrives at present, for the person to read. */
function toTrouble({ status, error }: Sent): string {
  if (status === undefined || error !== undefined) {
    return 'The hub may not send to this push service’s address. Turn notifications off and on again on this device.';
  }
  return status === 401 || status === 403
    ? `The push service does not accept the hub’s key (${status}). Turn notifications off and on again on this device.`
    : `The push service refuses what the hub sends (${status}). The hub’s log says more.`;
}

/** It did not go out: a withdraw that was wanted meanwhile has nothing to withdraw. */
async function unsend(trx: Transaction, queue: DeviceQueue, taken: Taken): Promise<void> {
  await row(trx, queue, taken).set({ sent: taken.before }).execute();
  if (taken.wanted !== 'ask' || taken.before !== null) return;
  await row(trx, queue, taken).where('wanted', '=', 'withdraw').set({ wanted: 'nothing', due_at: null }).execute();
}

function row(trx: Transaction, { deviceId }: DeviceQueue, { subjectId }: Taken) {
  return updatePushes(trx, deviceId, [subjectId]);
}

/** The row, unless something else is wanted since it was taken. */
function same(trx: Transaction, queue: DeviceQueue, taken: Taken) {
  return row(trx, queue, taken).where('wanted', '=', taken.wanted).where('give_up_at', '=', taken.giveUpAt);
}

/** The subscription, unless the device has another one by now. */
function subscription(trx: Transaction, { deviceId, endpoint }: DeviceQueue) {
  return trx.updateTable('subscriptions').where('device_id', '=', deviceId).where('endpoint', '=', endpoint);
}
