import type { Database, Transaction } from '../../../platform/database.ts';
import type { Log } from '../../../platform/log.ts';
import type { Sent } from '../../../platform/outbound/post.ts';
import type { Lane } from './claim.ts';
import { DIGEST } from './digest.ts';
import { nextTry, troubleOf, verdictOf, type Verdict } from './schedule.ts';
import type { Taken } from './take.ts';

export type Tried = { lane: Lane; taken: Taken; sent: Sent; ms: number; chance: number };

/** Records what became of one attempt and what follows from it, in one transaction. */
export function settle(database: Database, log: Log, tried: Tried): Promise<Verdict> {
  const verdict = verdictOf(tried.sent);
  const { lane, taken, sent } = tried;
  if (verdict === 'too large' || verdict === 'refused') {
    log.error({ subject: taken.subjectId, host: new URL(lane.endpoint).host, ...sent }, 'a push was refused');
  }
  return database.transaction(async (trx) => {
    await trx
      .updateTable('push_attempts')
      .set({ status: sent.status ?? null, error: sent.error ?? null, ms: tried.ms })
      .where('subject_id', '=', taken.subjectId)
      .where('device_id', '=', lane.deviceId)
      .where('number', '=', taken.number)
      .execute();
    if (verdict === 'accepted') await accepted(trx, tried);
    else if (verdict === 'gone') await gone(trx, lane);
    else await failed(trx, tried, verdict);
    return verdict;
  });
}

/** Undoes the taking of a push that turned out not to be wanted any more: there was no request. */
export async function leaveUnsent(database: Database, lane: Lane, taken: Taken): Promise<void> {
  await database.transaction(async (trx) => {
    await trx
      .deleteFrom('push_attempts')
      .where('subject_id', '=', taken.subjectId)
      .where('device_id', '=', lane.deviceId)
      .where('number', '=', taken.number)
      .execute();
    await unsend(trx, lane, taken);
    await same(trx, lane, taken).set({ due_at: null }).execute();
  });
}

async function accepted(trx: Transaction, { lane, taken, ms }: Tried): Promise<void> {
  const now = taken.at + ms;
  await row(trx, lane, taken).set({ accepted_at: now }).execute();
  await same(trx, lane, taken).set({ due_at: null }).execute();
  await trx
    .updateTable('subscriptions')
    .set({ trouble: null })
    .where('device_id', '=', lane.deviceId)
    .where('trouble', 'is not', null)
    .execute();
  if (taken.wanted !== 'ask') return;
  await trx
    .updateTable('tellings')
    .set(({ fn, val }) => ({
      told_at: fn.coalesce('told_at', val(now)),
      accepted_at: fn.coalesce('accepted_at', val(now)),
    }))
    .where('device_id', '=', lane.deviceId)
    .where((eb) =>
      taken.subjectId === DIGEST
        ? eb(
            'inquiry_id',
            'in',
            eb
              .selectFrom('pushes')
              .select('subject_id')
              .where('device_id', '=', lane.deviceId)
              .where('sent', '=', DIGEST),
          )
        : eb('inquiry_id', '=', taken.subjectId),
    )
    .execute();
}

/** Only a subscription that the push service forgot goes; one that was made anew meanwhile stays. */
async function gone(trx: Transaction, lane: Lane): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('subscriptions')
    .where('device_id', '=', lane.deviceId)
    .where('endpoint', '=', lane.endpoint)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return;
  await trx
    .updateTable('pushes')
    .set({ due_at: null })
    .where('device_id', '=', lane.deviceId)
    .where('due_at', 'is not', null)
    .execute();
}

async function failed(trx: Transaction, { lane, taken, sent, ms, chance }: Tried, verdict: Verdict): Promise<void> {
  const now = taken.at + ms;
  const again =
    verdict === 'again'
      ? nextTry({ tries: taken.number, now, giveUpAt: taken.giveUpAt, chance, retryAfterMs: sent.retryAfterMs })
      : undefined;
  // Without a status nobody knows whether it arrived, so it counts as sent and will be withdrawn.
  if (sent.status !== undefined) await unsend(trx, lane, taken);
  await same(trx, lane, taken)
    .set({ due_at: again ?? null })
    .execute();
  if (verdict === 'refused') {
    await trx
      .updateTable('subscriptions')
      .set({ trouble: troubleOf(sent) })
      .where('device_id', '=', lane.deviceId)
      .where('endpoint', '=', lane.endpoint)
      .execute();
  }
  if (sent.retryAfterMs === undefined) return;
  await trx
    .updateTable('pushes')
    .set({ due_at: now + sent.retryAfterMs })
    .where('device_id', '=', lane.deviceId)
    .where('due_at', '<', now + sent.retryAfterMs)
    .execute();
}

/** It did not go out: a withdraw that was wanted meanwhile has nothing to withdraw. */
async function unsend(trx: Transaction, lane: Lane, taken: Taken): Promise<void> {
  await row(trx, lane, taken).set({ sent: taken.before }).execute();
  if (taken.wanted !== 'ask' || taken.before !== null) return;
  await row(trx, lane, taken).where('wanted', '=', 'withdraw').set({ wanted: 'nothing', due_at: null }).execute();
}

function row(trx: Transaction, { deviceId }: Lane, { subjectId }: Taken) {
  return trx.updateTable('pushes').where('subject_id', '=', subjectId).where('device_id', '=', deviceId);
}

/** The row, unless something else is wanted since it was taken. */
function same(trx: Transaction, lane: Lane, taken: Taken) {
  return row(trx, lane, taken).where('wanted', '=', taken.wanted).where('give_up_at', '=', taken.giveUpAt);
}
