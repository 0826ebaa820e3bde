import type { Database } from '../platform/database.ts';
import { unknownSource } from './store.ts';

/** Revokes a source: its key is of no use from now on, and the caller withdraws what it has open. 404 `source.unknown`. */
export async function removeSource(database: Database, id: string): Promise<void> {
  const removed = await database.transaction((trx) =>
    trx
      .updateTable('sources')
      .set({ revoked_at: database.clock.now() })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .returning('id')
      .executeTakeFirst(),
  );
  if (!removed) throw unknownSource();
}
