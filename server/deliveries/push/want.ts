import { sql } from 'kysely';
import { DAY_MS } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { dropShown } from '../inquiry-devices.ts';

/** A device with a live page gets this long to show it there before it is pushed too. */
export const LIVE_HEAD_START_MS = 1_500;
/** A withdraw waits this long at the push service, whatever the deadline was. */
export const WITHDRAW_LIFE_MS = 7 * DAY_MS;

type Wanted = { subjectId: string; personIds: string[]; giveUpAt: number; now: number };

/**
 * Wants a notification of this inquiry or notice on each subscribed device of these people, in the caller's
 * transaction and one statement: due now, or a little later where a page is live. Returns on how many.
 */
export async function wantShown(trx: Transaction, { subjectId, personIds, giveUpAt, now }: Wanted): Promise<number> {
  if (personIds.length === 0) return 0;
  const at = (instant: number) => sql<number>`cast(${instant} as bigint)`;
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('pushes')
    .columns(['subject_id', 'device_id', 'wanted', 'due_at', 'give_up_at'])
    .expression((eb) =>
      eb
        .selectFrom('subscriptions')
        .innerJoin('devices', 'devices.id', 'subscriptions.device_id')
        .select([
          sql<string>`cast(${subjectId} as text)`.as('subject_id'),
          'subscriptions.device_id',
          sql<string>`'ask'`.as('wanted'),
          sql<number>`case when live_until > ${at(now)} then ${at(now + LIVE_HEAD_START_MS)} else ${at(now)} end`.as(
            'due_at',
          ),
          at(giveUpAt).as('give_up_at'),
        ])
        .where('devices.person_id', 'in', personIds)
        .where('devices.revoked_at', 'is', null)
        .where('devices.expires_at', '>', now),
    )
    .executeTakeFirstOrThrow();
  return Number(numInsertedOrUpdatedRows ?? 0);
}

/**
 * Flips what is wanted with one update: what was never sent is dropped, what may have arrived is withdrawn now,
 * the answering device included (WDR1). What expired unseen is left to its TTL, except with Apple, which never
 * says what it showed. Returns how many devices are to be told. `personId`: only on this person's devices.
 */
export async function wantWithdrawn(
  trx: Transaction,
  {
    subjectId,
    now,
    expired = false,
    personId,
  }: { subjectId: string; now: number; expired?: boolean; personId?: string },
): Promise<number> {
  const unseen = sql`not ${shown} and not exists (select 1 from subscriptions
    where subscriptions.device_id = pushes.device_id and subscriptions.endpoint like 'https://%push.apple.com/%')`;
  const dropped = expired ? sql`(sent is null or (sent = 'ask' and ${unseen}))` : sql`sent is null`;
  const flipped = await trx
    .updateTable('pushes')
    .set({
      wanted: sql`case when ${dropped} then 'nothing' else 'withdraw' end`,
      due_at: sql`case when ${dropped} then null else cast(${now} as bigint) end`,
      give_up_at: now + WITHDRAW_LIFE_MS,
    })
    .where('subject_id', '=', subjectId)
    .where('wanted', '=', 'ask')
    .$if(personId !== undefined, (rows) =>
      rows.where('device_id', 'in', (eb) => eb.selectFrom('devices').select('id').where('person_id', '=', personId!)),
    )
    .returning('wanted')
    .execute();
  return flipped.filter(({ wanted }) => wanted === 'withdraw').length;
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
        when ${shown} or sent = 'digest' then null else cast(${now} as bigint) end`,
    })
    .where('subject_id', '=', subjectId)
    .where('wanted', '=', 'ask')
    .returning('due_at')
    .execute();
  return again.filter(({ due_at }) => due_at !== null).length;
}

/** Notes that a worker really drew a notification on this device (ms): the way there and back works. */
export async function notificationShown(database: Database, deviceId: string, subjectId: string): Promise<void> {
  const now = database.clock.now();
  await database.transaction(async (trx) => {
    await dropShown(trx, [{ subjectId, deviceId }]);
    await trx.updateTable('subscriptions').set({ shown_at: now }).where('device_id', '=', deviceId).execute();
  });
}

const shown = sql`exists (select 1 from inquiry_devices where inquiry_devices.inquiry_id = pushes.subject_id
  and inquiry_devices.device_id = pushes.device_id and inquiry_devices.shown_at is not null)`;
