import { sql, type Selectable } from 'kysely';
import type { Database, Transaction } from '../platform/database.ts';
import type { DeliveriesTable } from '../platform/schema.ts';
import { DAY_MS, nextTry, verdictOf } from './schedule.ts';
import type { Tried } from './worker.ts';

export type Settled = 'delivered' | 'gone' | 'again' | 'failed' | 'lost';

const REST_MS = 30_000;
const SLOW_MS = 2_000;

/**
 * Records one attempt and what follows from it, in one transaction. "lost": the lease ran out meanwhile and
 * the row is somebody else's; only a success is kept then. An endpoint that let a request time out rests as
 * a whole, so that what waits behind it does not cost a time-out each.
 */
export function settle(
  database: Database,
  row: Selectable<DeliveriesTable>,
  until: number,
  { sent, at, ms, chance }: Tried,
): Promise<Settled> {
  return database.transaction(async (trx) => {
    const verdict = verdictOf(sent);
    const now = at + ms;
    const tries = await triesOf(trx, row);
    const dueAt =
      verdict === 'again'
        ? nextTry({ tries: tries + 1, now, giveUpAt: row.give_up_at, chance, retryAfterMs: sent.retryAfterMs })
        : undefined;
    const state = verdict !== 'again' ? verdict : dueAt === undefined ? 'failed' : 'pending';
    const updated = await trx
      .updateTable('deliveries')
      .set(({ eb }) => ({
        state,
        due_at: dueAt ?? null,
        claimed_until: null,
        attempt_count: eb('attempt_count', '+', 1),
      }))
      .where('id', '=', row.id)
      .where('state', '=', 'pending')
      .$if(verdict !== 'delivered', (rows) => rows.where('claimed_until', '=', until))
      .returning('attempt_count')
      .executeTakeFirst();
    if (updated === undefined) return 'lost';
    await trx
      .insertInto('attempts')
      .values({
        delivery_id: row.id,
        number: updated.attempt_count,
        at,
        status: sent.status ?? null,
        error: sent.error ?? null,
        ms,
      })
      .execute();
    if (verdict === 'delivered' && row.type === 'inquiry.resolved') await collect(trx, row.inquiry_id, now);
    await rate(trx, row, sent.error === 'timeout' ? now + REST_MS : 0, ms >= SLOW_MS);
    return state === 'pending' ? 'again' : state;
  });
}

/** Attempts since the delivery was made or replayed: the back-off starts anew with each day it is given. */
async function triesOf(trx: Transaction, row: Selectable<DeliveriesTable>): Promise<number> {
  const { count } = await trx
    .selectFrom('attempts')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('delivery_id', '=', row.id)
    .where('at', '>=', row.give_up_at - DAY_MS)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The source has the resolution now; its next identical call is a new inquiry (ASK5). */
async function collect(trx: Transaction, inquiryId: string, now: number): Promise<void> {
  await trx
    .updateTable('inquiries')
    .set({ collected_at: now })
    .where('id', '=', inquiryId)
    .where('collected_at', 'is', null)
    // No webhook carries the values of secret questions: only the source's own read collects those.
    .where('sealed', 'is', null)
    .execute();
}

/** Whatever waits for the same endpoint goes to the slow share while it hangs, and back when it answers quickly. */
async function rate(
  trx: Transaction,
  row: Selectable<DeliveriesTable>,
  restUntil: number,
  late: boolean,
): Promise<void> {
  const slow = Number(restUntil > 0 || late);
  if (restUntil === 0 && slow === row.slow) return;
  await trx
    .updateTable('deliveries')
    .set({ slow, due_at: sql`case when due_at < ${restUntil} then ${restUntil} else due_at end` })
    .where('state', '=', 'pending')
    .where('queue', '=', row.queue)
    .execute();
}
