import { sql, type Selectable } from 'kysely';
import { DAY_MS } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { Schema } from '../platform/schema.ts';
import { nextTry, outcomeOf } from './schedule.ts';
import type { Tried } from './worker.ts';

export type WebhookRow = Selectable<Schema['deliveries']>;
export type WebhookOutcome = 'delivered' | 'gone' | 'again' | 'failed' | 'lost';

const REST_MS = 30_000;
const SLOW_MS = 2_000;

/**
 * Records one attempt and what follows from it, in one transaction. "lost": the lease ran out meanwhile and
 * the row is somebody else's; only a success is kept then.
 */
export function settle(
  database: Database,
  row: WebhookRow,
  until: number,
  { sent, at, ms, chance }: Tried,
): Promise<WebhookOutcome> {
  return database.transaction(async (trx) => {
    const now = at + ms;
    let outcome = outcomeOf(sent);
    let dueAt: number | undefined;
    if (outcome === 'again') {
      const failure = { tries: (await triesOf(trx, row)) + 1, now, giveUpAt: row.give_up_at, chance };
      dueAt = nextTry({ ...failure, retryAfterMs: sent.retryAfterMs });
      if (dueAt === undefined) outcome = 'failed';
    }
    const updated = await trx
      .updateTable('deliveries')
      .set(({ eb }) => ({
        state: outcome === 'again' ? 'pending' : outcome,
        due_at: dueAt ?? null,
        claimed_until: null,
        attempt_count: eb('attempt_count', '+', 1),
      }))
      .where('id', '=', row.id)
      .where('state', '=', 'pending')
      .$if(outcome !== 'delivered', (rows) => rows.where('claimed_until', '=', until))
      .returning('attempt_count as number')
      .executeTakeFirst();
    if (updated === undefined) return 'lost';
    const attempt = { delivery_id: row.id, at, status: sent.status ?? null, error: sent.error ?? null, ms };
    await trx
      .insertInto('attempts')
      .values({ ...attempt, ...updated })
      .execute();
    if (outcome === 'delivered' && row.type === 'inquiry.resolved') await collect(trx, row.inquiry_id, now);
    await moveQueue(trx, row, { timedOut: sent.error === 'timeout', ms, now });
    return outcome;
  });
}

/** Attempts since the delivery was made or replayed: the back-off starts anew with each day it is given. */
async function triesOf(trx: Transaction, row: WebhookRow): Promise<number> {
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

/**
 * Moves what waits for the same endpoint to the slow share when it hung, and back when it answered quickly. After a
 * time-out it all rests, so that what waits behind it does not cost a time-out each.
 */
async function moveQueue(
  trx: Transaction,
  row: WebhookRow,
  { timedOut, ms, now }: { timedOut: boolean; ms: number; now: number },
): Promise<void> {
  const slow = Number(timedOut || ms >= SLOW_MS);
  if (!timedOut && slow === row.slow) return;
  const restUntil = timedOut ? now + REST_MS : 0;
  await trx
    .updateTable('deliveries')
    .set({ slow, due_at: sql`case when due_at < ${restUntil} then ${restUntil} else due_at end` })
    .where('state', '=', 'pending')
    .where('queue', '=', row.queue)
    .execute();
}
