import type { Selectable } from 'kysely';
import type { Database, Transaction } from '../platform/database.ts';
import type { Sent } from '../platform/outbound/post.ts';
import type { DeliveriesTable } from '../platform/schema.ts';
import type { Lane } from './claim.ts';
import { DAY_MS, nextTry, verdictOf } from './schedule.ts';

export type Tried = {
  row: Selectable<DeliveriesTable>;
  lane: Lane;
  until: number;
  sent: Sent;
  at: number;
  ms: number;
  chance: number;
};
export type Settled = 'delivered' | 'gone' | 'again' | 'failed' | 'lost';

const REST_MS = 30_000;

/**
 * Records one attempt and what follows from it, in one transaction. "lost": the lease ran out meanwhile and
 * the row is somebody else's; only a success is kept then. An endpoint that let a request time out rests as
 * a whole, so that what waits behind it does not cost a time-out each.
 */
export function settle(database: Database, tried: Tried): Promise<Settled> {
  const { row, lane, until, sent, at, ms, chance } = tried;
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
    if (sent.error === 'timeout') await rest(trx, lane, now + REST_MS);
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

async function rest(trx: Transaction, lane: Lane, until: number): Promise<void> {
  await trx
    .updateTable('deliveries')
    .set({ due_at: until })
    .where('state', '=', 'pending')
    .where('due_at', '<', until)
    .where('queue', '=', lane.queue)
    .execute();
}
