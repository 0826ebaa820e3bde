import { AppError } from '#shared/problem.ts';
import type { WebhookDelivery } from '#shared/schemas/deliveries.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { readDelivery, type Viewer } from './read.ts';
import { PENDING } from './settle.ts';
import { unleased } from './worker.ts';

const PACE_MS = 5_000;

/**
 * Makes a delivery that waits for its next attempt due at once. One that is being sent at this moment is left to that
 * attempt, so nothing is sent twice; 409 where it has ended, its source is paused or its last attempt ended less than 5 s
 * ago.
 */
export function tryNow(
  database: Database,
  { id, viewer, now }: { id: string; viewer: Viewer; now: number },
): Promise<WebhookDelivery> {
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
    const last = delivery.attempts.at(-1);
    const from = last === undefined ? now : Date.parse(last.at) + last.ms + PACE_MS;
    if (now < from)
      throw new AppError(
        409,
        'delivery.just_tried',
        `This delivery was tried a moment ago; it can be tried again at ${iso(from)}.`,
      );
    await trx
      .updateTable('deliveries')
      .set({ due_at: now })
      .where('id', '=', id)
      .where('state', '=', PENDING)
      .where('due_at', '>', now)
      .where(unleased(now))
      .execute();
    return readDelivery(trx, id, viewer);
  });
}
