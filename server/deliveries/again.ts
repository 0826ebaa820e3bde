import { sql } from 'kysely';
import { AppError } from '#shared/problem.ts';
import type { WebhookDelivery } from '#shared/schemas/deliveries.ts';
import { DAY_MS, iso } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { PENDING, QUEUED } from './queues.ts';
import { readDelivery, type DeliveryViewer } from './read.ts';
import { unleased } from './worker.ts';

const PACE_MS = 5_000;

type Repeat = { id: string; viewer: DeliveryViewer; now: number };

/**
 * Enqueues a delivery once more, from now on for another day; 409 while it is still being tried or within 5 s of its
 * last attempt, 404 for whom it is not.
 */
export function replay(database: Database, { id, viewer, now }: Repeat): Promise<WebhookDelivery> {
  return database.transaction(async (trx) => {
    const delivery = await readDelivery(trx, id, viewer);
    if (delivery.state !== 'pending') refuseAtOnce(delivery, now);
    await refuseTwice(trx, id);
    const replayed = await trx
      .updateTable('deliveries')
      .set({ state: 'pending', due_at: now, give_up_at: now + DAY_MS, claimed_until: null, queued: 0 })
      .where('id', '=', id)
      .where('state', '!=', 'pending')
      .returning('id')
      .executeTakeFirst();
    if (replayed) return readDelivery(trx, id, viewer);
    const when = delivery.dueAt === undefined ? 'it is paused' : `the next attempt is due at ${delivery.dueAt}`;
    const detail = `This delivery is still being tried; ${when}.`;
    throw new AppError(409, 'delivery.pending', detail);
  });
}

/**
 * Makes a delivery that waits for its next attempt due at once, before all else of its queue. One that is being sent at
 * this moment is left to that attempt, so nothing is sent twice; 409 where it has ended, its source is paused or its
 * last attempt ended less than 5 s ago.
 */
export function tryNow(database: Database, { id, viewer, now }: Repeat): Promise<WebhookDelivery> {
  return database.transaction(async (trx) => {
    const delivery = await readDelivery(trx, id, viewer);
    if (delivery.state !== 'pending')
      throw new AppError(409, 'delivery.ended', 'This delivery has ended; replay it to send it again.');
    const paused = await trx
      .selectFrom('sources')
      .select('id')
      .where('id', '=', delivery.sourceId ?? '')
      .where('webhooks_paused_at', 'is not', null)
      .executeTakeFirst();
    if (paused)
      throw new AppError(409, 'delivery.paused', 'The webhooks of this source are paused; resume them first.');
    refuseAtOnce(delivery, now);
    const waits = await trx
      .selectFrom('deliveries')
      .select('queue')
      .where('id', '=', id)
      .where('state', '=', PENDING)
      .where('due_at', 'is not', null)
      .where(unleased(now))
      .executeTakeFirst();
    if (waits === undefined) return delivery;
    // Its endpoint rests no more, and this tells whether it works. The queue's row comes first, as everywhere.
    await trx
      .updateTable('delivery_queues')
      .set({ due_at: now, rest_until: null })
      .where('queue', '=', waits.queue)
      .execute();
    const earliest = sql`(select min(due_at) from deliveries where queue = ${waits.queue} and state = ${PENDING} and queued = ${QUEUED}
      and due_at <= ${now})`;
    await trx
      .updateTable('deliveries')
      .set({ due_at: sql`coalesce(${earliest} - 1, cast(${now} as bigint))` })
      .where('id', '=', id)
      .where('state', '=', PENDING)
      .where('due_at', 'is not', null)
      .where(unleased(now))
      .execute();
    return readDelivery(trx, id, viewer);
  });
}

// A second answer could undo the first one at its receiver.
async function refuseTwice(trx: Transaction, id: string): Promise<void> {
  const tried = trx.selectFrom('deliveries').select('id').where('id', '=', id).where('tried_at', 'is not', null);
  if (await tried.executeTakeFirst())
    throw new AppError(409, 'delivery.ended', 'This was sent, and its receiver takes no second one: ask anew there.');
}

function refuseAtOnce({ attempts }: WebhookDelivery, now: number): void {
  const last = attempts.at(-1);
  const from = last === undefined ? now : Date.parse(last.at) + last.ms + PACE_MS;
  if (now >= from) return;
  const detail = `This delivery was tried a moment ago; it can be tried again at ${iso(from)}.`;
  throw new AppError(409, 'delivery.just_tried', detail);
}
