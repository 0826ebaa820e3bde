import type { Selectable } from 'kysely';
import type { Transaction } from '../platform/database.ts';
import type { Schema } from '../platform/schema.ts';

type Row = Pick<Selectable<Schema['deliveries']>, 'queue' | 'source_id'>;

/** Writes down since when an endpoint fails; a failure that stands keeps its beginning. */
export async function noteFailed(trx: Transaction, { queue, source_id }: Row, at: number): Promise<void> {
  await trx
    .insertInto('failing_endpoints')
    .values({ queue, source_id, since: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Writes down that an endpoint works again. */
export async function noteWorked(trx: Transaction, { queue }: Row, at: number): Promise<void> {
  await trx
    .updateTable('failing_endpoints')
    .set({ worked_at: at })
    .where('queue', '=', queue)
    .where('worked_at', 'is', null)
    .execute();
}
