import type { Database } from '../platform/database.ts';
import { DAY_MS } from '../platform/clock.ts';
import { PENDING } from './settle.ts';

/** The source's owner paused its webhooks: no request is made and no attempt counted. */
export const PAUSED = 'paused';

/** Takes what waits for a source whose webhooks are paused off the queue until they go on. */
export async function putOff(database: Database, sourceId: string): Promise<void> {
  await database.transaction((trx) =>
    trx
      .updateTable('deliveries')
      .set({ due_at: null })
      .where('source_id', '=', sourceId)
      .where('state', '=', PENDING)
      .where('source_id', 'in', (db) =>
        db.selectFrom('sources').select('id').where('webhooks_paused_at', 'is not', null),
      )
      .execute(),
  );
}

/** Makes due what was put off at the moment in which its source went on; returns how many. */
export async function resumePutOff(database: Database, now = database.clock.now()): Promise<number> {
  const resumed = await database.transaction((trx) =>
    trx
      .updateTable('deliveries')
      .set({ due_at: now, give_up_at: now + DAY_MS })
      .where('state', '=', PENDING)
      .where('slow', 'in', [0, 1])
      .where('due_at', 'is', null)
      .where('source_id', 'not in', (db) =>
        db.selectFrom('sources').select('id').where('webhooks_paused_at', 'is not', null),
      )
      .executeTakeFirst(),
  );
  return Number(resumed.numUpdatedRows);
}
