import { sql } from 'kysely';
import { DAY_MS } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { statement, type Statement } from '../../platform/steps.ts';
import { dropShown } from '../inquiry-devices.ts';

/** A device with a live page gets this long to show it there before it is pushed too. */
export const LIVE_HEAD_START_MS = 1_500;
/** A withdraw waits this long at the push service, whatever the deadline was. */
export const WITHDRAW_LIFE_MS = 7 * DAY_MS;

type Wanted = { subjectId: string; personIds: string[]; giveUpAt: number; now: number };

const shown = `exists (select 1 from inquiry_devices where inquiry_devices.inquiry_id = pushes.subject_id
  and inquiry_devices.device_id = pushes.device_id and inquiry_devices.shown_at is not null)`;

const wantAsk = statement<{ device_id: string }>(
  `insert into pushes (subject_id, device_id, wanted, due_at, give_up_at)
  select cast(?1 as text), subscriptions.device_id, 'ask',
    case when live_until > cast(?3 as bigint) then cast(?3 as bigint) + ${LIVE_HEAD_START_MS} else cast(?3 as bigint) end,
    cast(?4 as bigint)
  from devices join subscriptions on subscriptions.device_id = devices.id
  where devices.person_id in {keys ?2} and revoked_at is null and expires_at > cast(?3 as bigint)
  returning device_id`,
);

/**
 * Wants a notification of this inquiry or notice on each subscribed device of these people: due now, or a little later
 * where a page is live.
 */
export function wantShown({ subjectId, personIds, giveUpAt, now }: Wanted): Statement<{ device_id: string }> {
  return wantAsk(subjectId, personIds, now, giveUpAt);
}

const wantAgain = statement<{ device_id: string }>(
  `insert into pushes (subject_id, device_id, wanted, due_at, give_up_at)
  select cast(?1 as text), subscriptions.device_id, 'ask', cast(?3 as bigint), cast(?4 as bigint)
  from devices join subscriptions on subscriptions.device_id = devices.id
  where devices.person_id in {keys ?2} and revoked_at is null and expires_at > cast(?3 as bigint)
  on conflict (subject_id, device_id) do update
  set wanted = 'ask', due_at = excluded.due_at, give_up_at = excluded.give_up_at
  returning device_id`,
);

/** Wants it sent once more, to each subscribed device of these people: what a page showed long ago, or lately, says nothing. */
export function wantReminder({ subjectId, personIds, giveUpAt, now }: Wanted): Statement<{ device_id: string }> {
  return wantAgain(subjectId, personIds, now, giveUpAt);
}

const unseen = `not ${shown} and not exists (select 1 from subscriptions
  where subscriptions.device_id = pushes.device_id and subscriptions.endpoint like 'https://%push.apple.com/%')`;
const dropped = `(sent is null or (cast(?3 as integer) = 1 and sent = 'ask' and ${unseen}))`;
const wantEnd = statement<{ wanted: string }>(
  `update pushes set wanted = case when ${dropped} then 'nothing' else 'withdraw' end,
    due_at = case when ${dropped} then null else cast(?2 as bigint) end, give_up_at = cast(?2 as bigint) + ${WITHDRAW_LIFE_MS}
  where subject_id = ?1 and wanted = 'ask'
    and (cast(?4 as text) is null or device_id in (select id from devices where person_id = cast(?4 as text)))
    and not exists (select 1 from inquiries where id = ?1 and resolution is null)
  returning wanted`,
);

/**
 * Flips what is wanted of a notice, or of an inquiry that is resolved: what was never sent is dropped, what may have
 * arrived is withdrawn now, the answering device included (WDR1). What expired unseen is left to its TTL, except with
 * Apple, which never says what it showed. `personId`: only on this person's devices.
 */
export function wantWithdrawn(ended: {
  subjectId: string;
  now: number;
  expired?: boolean;
  personId?: string;
}): Statement<{ wanted: string }> {
  return wantEnd(ended.subjectId, ended.now, ended.expired ? 1 : 0, ended.personId ?? null);
}

/** Wants it sent again, because its deadline moved, to the devices that have not shown it. Returns to how many. */
export async function wantShownAgain(
  trx: Transaction,
  { subjectId, giveUpAt, now }: Omit<Wanted, 'personIds'>,
): Promise<number> {
  const again = await trx
    .updateTable('pushes')
    .set({
      give_up_at: giveUpAt,
      due_at: sql`case when due_at is not null then due_at
        when ${sql.raw(shown)} or sent = 'digest' then null else cast(${now} as bigint) end`,
    })
    .where('subject_id', '=', subjectId)
    .where('wanted', '=', 'ask')
    .returning('due_at')
    .execute();
  return again.filter(({ due_at }) => due_at !== null).length;
}

/** Wants what is to be shown of it shown anew, also where it was read: it says something else now. */
export async function wantAnew(
  trx: Transaction,
  { subjectId, giveUpAt, now }: Omit<Wanted, 'personIds'>,
): Promise<void> {
  await trx
    .updateTable('pushes')
    .set({
      wanted: 'ask',
      give_up_at: giveUpAt,
      due_at: sql`cast(${now} as bigint) + case when exists (select 1 from devices where devices.id = pushes.device_id
        and live_until > ${now}) then ${sql.lit(LIVE_HEAD_START_MS)} else 0 end`,
    })
    .where('subject_id', '=', subjectId)
    .execute();
}

/** Notes that a worker really drew a notification on this device (ms): the way there and back works. */
export async function notificationShown(database: Database, deviceId: string, subjectId: string): Promise<void> {
  const now = database.clock.now();
  await database.transaction(async (trx) => {
    // Before its pushes, as everywhere.
    await trx.updateTable('subscriptions').set({ shown_at: now }).where('device_id', '=', deviceId).execute();
    await dropShown(trx, [{ subjectId, deviceId }]);
  });
}
