import { CompiledQuery, sql } from 'kysely';
import type { Database } from '../database.ts';
import type { Statement } from '../steps.ts';

/**
 * How the engine finds the rows of a statement, a line for each step. On Postgres as it would in a table that is too
 * large to be read through: it reads small ones whole, whatever their indexes.
 */
export function planOf(database: Database, statement: Statement): Promise<string[]> {
  const { text, postgres } = statement.sql;
  return database.transaction(async (trx) => {
    if (database.engine === 'sqlite') {
      const query = CompiledQuery.raw(`explain query plan ${text}`, [...statement.values]);
      return (await trx.executeQuery<{ detail: string }>(query)).rows.map(({ detail }) => detail);
    }
    await sql`set local enable_seqscan = off`.execute(trx);
    const query = CompiledQuery.raw(`explain ${postgres}`, [...statement.values]);
    return (await trx.executeQuery<{ 'QUERY PLAN': string }>(query)).rows.map((row) => row['QUERY PLAN'].trim());
  });
}
