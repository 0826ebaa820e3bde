import { sql, type Selectable } from 'kysely';
import type { Transaction } from '../../platform/database.ts';
import type { Schema } from '../../platform/schema.ts';
import { WITHDRAW_LIFE_MS } from './want.ts';

export type PushRow = Selectable<Schema['pushes']>;

/** The subject, Topic and tag of the one notification that stands for many. */
export const DIGEST = 'digest';
/** FCM keeps four Topics for a device that is away and loses any others: three questions and the digest. */
const APART = 3;

/** Written out: a parameter could not use the index of what is open. */
const ASK = sql.lit('ask');

/** Some pushes of one device. */
export function updatePushes(trx: Transaction, deviceId: string, subjectIds: string[]) {
  return trx.updateTable('pushes').where('device_id', '=', deviceId).where('subject_id', 'in', subjectIds);
}

const subjectIds = (rows: PushRow[]): string[] => rows.map(({ subject_id }) => subject_id);

/**
 * With more than three questions on their way to one device, those that are due become part of its digest.
 * Returns whether it changed anything.
 */
export async function joinDigest(trx: Transaction, deviceId: string, due: PushRow[], now: number): Promise<boolean> {
  const asks = due.filter(({ wanted, subject_id }) => wanted === 'ask' && subject_id.startsWith('inq_'));
  if (asks.length === 0) return false;
  if (asks.length <= APART && asks.length + (await undelivered(trx, deviceId)) <= APART) return false;
  await updatePushes(trx, deviceId, subjectIds(asks)).set({ sent: DIGEST, due_at: null }).execute();
  const wish = { wanted: 'ask', due_at: now, give_up_at: Math.max(...asks.map(({ give_up_at }) => give_up_at)) };
  await trx
    .insertInto('pushes')
    .values({ subject_id: DIGEST, device_id: deviceId, ...wish })
    .onConflict((conflict) => conflict.columns(['subject_id', 'device_id']).doUpdateSet(wish))
    .execute();
  return true;
}

/** Questions of the digest that are no longer wanted leave it; its count is sent again, or it is withdrawn with the last. */
export async function leaveDigest(trx: Transaction, deviceId: string, due: PushRow[], now: number): Promise<boolean> {
  const left = due.filter(({ wanted, sent }) => wanted === 'withdraw' && sent === DIGEST);
  if (left.length === 0) return false;
  await updatePushes(trx, deviceId, subjectIds(left)).set({ sent: 'withdraw', due_at: null }).execute();
  const { length: remaining } = await inDigest(trx, deviceId, 1);
  const none = {
    wanted: sql<string>`case when sent is null then 'nothing' else 'withdraw' end`,
    due_at: sql<number | null>`case when sent is null then null else cast(${now} as bigint) end`,
    give_up_at: now + WITHDRAW_LIFE_MS,
  };
  await updatePushes(trx, deviceId, [DIGEST])
    .set(remaining > 0 ? { wanted: 'ask', due_at: now } : none)
    .execute();
  return true;
}

/** The open questions that a device's digest stands for, or the first of them. */
export async function inDigest(
  reader: Pick<Transaction, 'selectFrom'>,
  deviceId: string,
  most = Infinity,
): Promise<string[]> {
  const rows = await reader
    .selectFrom('pushes')
    .select('subject_id')
    .where('device_id', '=', deviceId)
    .where('wanted', '=', ASK)
    .where('sent', '=', DIGEST)
    .$if(most < Infinity, (some) => some.limit(most))
    .execute();
  return rows.map(({ subject_id }) => subject_id);
}

/** How many questions are on their way; counts no further than it matters. */
async function undelivered(trx: Transaction, deviceId: string): Promise<number> {
  const rows = await trx
    .selectFrom('pushes')
    .select('subject_id')
    .where('device_id', '=', deviceId)
    .where('wanted', '=', ASK)
    .where('sent', 'in', ['ask', DIGEST])
    .where('due_at', 'is', null)
    .where('subject_id', 'like', 'inq%')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('inquiry_devices')
            .select('device_id')
            .whereRef('inquiry_devices.inquiry_id', '=', 'pushes.subject_id')
            .whereRef('inquiry_devices.device_id', '=', 'pushes.device_id')
            .where('shown_at', 'is not', null),
        ),
      ),
    )
    .limit(APART)
    .execute();
  return rows.length;
}
