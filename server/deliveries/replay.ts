import { AppError } from '#shared/problem.ts';
import type { WebhookDelivery } from '#shared/wire.ts';
import type { Database } from '../platform/database.ts';
import { DAY_MS } from './schedule.ts';
import { readDelivery } from './read.ts';

/** Owes a delivery once more, from now on for another day; 409 while it is still being tried, 404 for another source. */
export function replay(
  database: Database,
  { id, sourceId, now }: { id: string; sourceId: string; now: number },
): Promise<WebhookDelivery> {
  return database.transaction(async (trx) => {
    const replayed = await trx
      .updateTable('deliveries')
      .set({ state: 'pending', due_at: now, give_up_at: now + DAY_MS, claimed_until: null })
      .where('id', '=', id)
      .where('source_id', '=', sourceId)
      .where('state', '!=', 'pending')
      .returning('id')
      .executeTakeFirst();
    const delivery = await readDelivery(trx, id, sourceId);
    if (replayed === undefined)
      throw new AppError(
        409,
        'delivery.pending',
        `This delivery is still being tried; the next attempt is due at ${delivery.dueAt}.`,
      );
    return delivery;
  });
}
