import { sql, type RawBuilder } from 'kysely';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

const PART = 500;

/** Repeats a change of at most `most` rows, each in its own transaction, until one finds fewer; returns how many in all. */
export async function inParts(most: number, change: () => Promise<number>): Promise<number> {
  let all = 0;
  for (;;) {
    const changed = await change();
    all += changed;
    if (changed < most) return all;
  }
}

/** Deletes rows in parts, so that nobody waits for all of them; `key` is what the table is found by. Returns how many. */
export function deleteInParts(
  database: Database,
  table: keyof Schema,
  key: string[],
  where: RawBuilder<unknown>,
): Promise<number> {
  const found = sql.join(key.map((column) => sql.ref(column)));
  const statement = sql`delete from ${sql.table(table)}
    where (${found}) in (select ${found} from ${sql.table(table)} where ${where} limit ${PART})`;
  return inParts(PART, async () => {
    const { numAffectedRows } = await database.transaction((trx) => statement.execute(trx));
    return Number(numAffectedRows);
  });
}
