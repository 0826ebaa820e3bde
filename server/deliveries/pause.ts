import { sql } from 'kysely';
import type { Database } from '../platform/database.ts';
import { DAY_MS } from '../platform/clock.ts';
import { inParts } from '../platform/repeat.ts';
import { join, lockQueues, PART, PENDING, updatePending } from './queues.ts';
import type { WebhookRow } from './settle.ts';

/** The source's owner paused its webhooks: no request is made and no attempt counted. */
export const PAUSED = 'paused';

/** Takes what waits in a queue whose source is paused out of it until its webhooks go on, a part at a time. */
export async function putOff(database: Database, { queue, source_id: sourceId }: WebhookRow): Promise<void> {
  await database.transaction(async (trx) => {
    await lockQueues(trx, [{ queue }]);
    await trx
      .updateTable('deliveries')
      .set({ due_at: null, queued: 0 })
      .where('id', 'in', (db) =>
        db
          .selectFrom('deliveries')
          .select('id')
          .where('queue', '=', queue)
          .where('state', '=', PENDING)
          .where('due_at', 'is not', null)
          .orderBy('due_at')
          .limit(PART),
      )
      .where('source_id', '=', sourceId)
      .where('source_id', 'in', (db) =>
        db.selectFrom('sources').select('id').where('webhooks_paused_at', 'is not', null),
      )
      .execute();
  });
}

/**
 * Makes due, for a whole day, what was put off of sources that are not paused, in parts and in their queues: what others
 * enqueue does not stand behind it. Returns how many.
 */
export function resumePutOff(database: Database, now = database.clock.now()): Promise<number> {
  return inParts(PART, async () => {
    const found = await database.read
      .selectFrom('deliveries')
      .select(['id', 'queue', 'source_id'])
      .where('state', '=', PENDING)
      .where('due_at', 'is', null)
      .where('source_id', 'in', (of) => of.selectFrom('sources').select('id').where('webhooks_paused_at', 'is', null))
      .limit(PART)
      .execute();
    if (found.length === 0) return 0;
    const due = found.map((row) => ({ ...row, due_at: now }));
    await database.transaction(async (trx) => {
      await lockQueues(trx, found);
      // What has seven days has no more for having waited.
      const anew = sql<number>`case when protocol is null then cast(${now + DAY_MS} as bigint) else give_up_at end`;
      const goesOn = { due_at: now, give_up_at: anew };
      await updatePending(trx, found).set(goesOn).where('due_at', 'is', null).execute();
      await join(trx, due);
    });
    return found.length;
  });
}
