import { sql, type Selectable } from 'kysely';
import type { Transaction } from '../platform/database.ts';
import type { Schema } from '../platform/schema.ts';

type Failed = Pick<Selectable<Schema['deliveries']>, 'queue' | 'source_id'>;

/** A source can name another origin in every callback, and its owner is told of one at a time. */
const MOST = 100;

/**
 * Writes down since when an endpoint fails; a failure that stands keeps its beginning. Of one source at most 100 are
 * kept, of a revoked one no more.
 */
export async function noteFailed(trx: Transaction, { queue, source_id }: Failed, at: number): Promise<void> {
  await trx
    .insertInto('failing_endpoints')
    .columns(['queue', 'source_id', 'since'])
    .expression((db) =>
      db
        .selectFrom('sources')
        .select([sql.val(queue).as('queue'), 'id', sql.val(at).as('since')])
        .where('id', '=', source_id)
        .where('revoked_at', 'is', null)
        .where(
          (of) =>
            of
              .selectFrom('failing_endpoints')
              .select(({ fn }) => fn.countAll().as('count'))
              .where('source_id', '=', source_id),
          '<',
          MOST,
        ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Writes down that an endpoint works again. */
export async function noteWorked(trx: Transaction, { queue }: Failed, at: number): Promise<void> {
  await trx
    .updateTable('failing_endpoints')
    .set({ worked_at: at })
    .where('queue', '=', queue)
    .where('worked_at', 'is', null)
    .execute();
}
