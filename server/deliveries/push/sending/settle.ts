import type { Database, Transaction } from '../../../platform/database.ts';
import type { Log } from '../../../platform/log.ts';
import type { Sent } from '../../../platform/outbound/post.ts';
import { INTERNAL_ERROR, type Tried } from '../../worker.ts';
import type { DeviceQueue } from './claim.ts';
import { DIGEST } from './digest.ts';
import { nextTry, troubleOf, verdictOf, type Verdict } from './schedule.ts';
import type { Taken } from './take.ts';

type Attempt = Tried & { queue: DeviceQueue; taken: Taken };

/** Records what became of one attempt and what follows from it, in one transaction. */
export function settle(database: Database, log: Log, tried: Attempt): Promise<Verdict> {
  const verdict = verdictOf(tried.sent);
  const { queue, taken, sent } = tried;
  if (verdict === 'too large' || verdict === 'refused') {
    log.error({ subject: taken.subjectId, host: queue.group, ...sent }, 'a push was refused');
  }
  return database.transaction(async (trx) => {
    await trx
      .updateTable('push_attempts')
      .set({ status: sent.status ?? null, error: sent.error ?? null, ms: tried.ms })
      .where('subject_id', '=', taken.subjectId)
      .where('device_id', '=', queue.deviceId)
      .where('number', '=', taken.number)
      .execute();
    if (verdict === 'accepted') await accepted(trx, tried);
    else if (verdict === 'gone') await gone(trx, queue);
    else await failed(trx, tried, verdict);
    return verdict;
  });
}

/** Undoes the taking of a push that turned out not to be wanted any more: there was no request. */
export async function leaveUnsent(database: Database, queue: DeviceQueue, taken: Taken): Promise<void> {
  await database.transaction(async (trx) => {
    await trx
      .deleteFrom('push_attempts')
      .where('subject_id', '=', taken.subjectId)
      .where('device_id', '=', queue.deviceId)
      .where('number', '=', taken.number)
      .execute();
    await unsend(trx, queue, taken);
    await same(trx, queue, taken).set({ due_at: null }).execute();
  });
}

async function accepted(trx: Transaction, { queue, taken, ms }: Attempt): Promise<void> {
  const now = taken.at + ms;
  await row(trx, queue, taken).set({ accepted_at: now }).execute();
  await same(trx, queue, taken).set({ due_at: null }).execute();
  await trx
    .updateTable('subscriptions')
    .set({ trouble: null })
    .where('device_id', '=', queue.deviceId)
    .where('trouble', 'is not', null)
    .execute();
  if (taken.wanted !== 'ask') return;
  await trx
    .updateTable('tellings')
    .set(({ fn, val }) => ({
      told_at: fn.coalesce('told_at', val(now)),
      accepted_at: fn.coalesce('accepted_at', val(now)),
    }))
    .where('device_id', '=', queue.deviceId)
    .where((eb) =>
      taken.subjectId === DIGEST
        ? eb(
            'inquiry_id',
            'in',
            eb
              .selectFrom('pushes')
              .select('subject_id')
              .where('device_id', '=', queue.deviceId)
              .where('sent', '=', DIGEST),
          )
        : eb('inquiry_id', '=', taken.subjectId),
    )
    .execute();
}

/** Only a subscription that the push service forgot goes; one that was made anew meanwhile stays. */
async function gone(trx: Transaction, queue: DeviceQueue): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('subscriptions')
    .where('device_id', '=', queue.deviceId)
    .where('endpoint', '=', queue.endpoint)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return;
  await trx
    .updateTable('pushes')
    .set({ due_at: null })
    .where('device_id', '=', queue.deviceId)
    .where('due_at', 'is not', null)
    .execute();
}

async function failed(trx: Transaction, { queue, taken, sent, ms, chance }: Attempt, verdict: Verdict): Promise<void> {
  const now = taken.at + ms;
  const again =
    verdict === 'again'
      ? nextTry({ tries: taken.number, now, giveUpAt: taken.giveUpAt, chance, retryAfterMs: sent.retryAfterMs })
      : undefined;
  if (neverArrived(sent)) await unsend(trx, queue, taken);
  await same(trx, queue, taken)
    .set({ due_at: again ?? null })
    .execute();
  if (verdict === 'refused') {
    await trx
      .updateTable('subscriptions')
      .set({ trouble: troubleOf(sent) })
      .where('device_id', '=', queue.deviceId)
      .where('endpoint', '=', queue.endpoint)
      .execute();
  }
  if (sent.retryAfterMs === undefined) return;
  await trx
    .updateTable('pushes')
    .set({ due_at: now + sent.retryAfterMs })
    .where('device_id', '=', queue.deviceId)
    .where('due_at', '<', now + sent.retryAfterMs)
    .execute();
}

/** Without a status nobody knows whether a request arrived, so it counts as sent and will be withdrawn. */
function neverArrived({ status, error }: Sent): boolean {
  return status !== undefined || error === INTERNAL_ERROR || error?.startsWith('refused') === true;
}

/** It did not go out: a withdraw that was wanted meanwhile has nothing to withdraw. */
async function unsend(trx: Transaction, queue: DeviceQueue, taken: Taken): Promise<void> {
  await row(trx, queue, taken).set({ sent: taken.before }).execute();
  if (taken.wanted !== 'ask' || taken.before !== null) return;
  await row(trx, queue, taken).where('wanted', '=', 'withdraw').set({ wanted: 'nothing', due_at: null }).execute();
}

function row(trx: Transaction, { deviceId }: DeviceQueue, { subjectId }: Taken) {
  return trx.updateTable('pushes').where('subject_id', '=', subjectId).where('device_id', '=', deviceId);
}

/** The row, unless something else is wanted since it was taken. */
function same(trx: Transaction, queue: DeviceQueue, taken: Taken) {
  return row(trx, queue, taken).where('wanted', '=', taken.wanted).where('give_up_at', '=', taken.giveUpAt);
}
