import type { Transaction } from '../platform/database.ts';
import { DAY_MS } from '../platform/clock.ts';

/**
 * Pauses the webhooks of a source, or lets them go on; returns since when they wait. What waited is due at once and has
 * a whole day again. Either ends the failure of its endpoints, of which
 * the owner knows.
 */
export async function pauseWebhooks(
  trx: Transaction,
  sourceId: string,
  paused: boolean,
  now: number,
): Promise<number | null> {
  const since = await trx
    .selectFrom('sources')
    .select('webhooks_paused_at as at')
    .where('id', '=', sourceId)
    .executeTakeFirst();
  const at = paused ? (since?.at ?? now) : null;
  await trx.updateTable('sources').set({ webhooks_paused_at: at }).where('id', '=', sourceId).execute();
  await endFailures(trx, sourceId, now);
  if (!paused)
    await trx
      .updateTable('deliveries')
      .set({ due_at: now, give_up_at: now + DAY_MS })
      .where('source_id', '=', sourceId)
      .where('state', '=', 'pending')
      .where('due_at', 'is', null)
      .execute();
  return at;
}

/** Ends the failures of a source, whose endpoints are not called any more. */
export async function endFailures(trx: Transaction, sourceId: string, now: number): Promise<void> {
  await trx
    .updateTable('failing_endpoints')
    .set({ worked_at: now })
    .where('source_id', '=', sourceId)
    .where('worked_at', 'is', null)
    .execute();
}
