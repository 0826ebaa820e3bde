import { CompiledQuery, createQueryId, sql, type KyselyPlugin, type RootOperationNode } from 'kysely';
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

/** Has `work` done with a database that is watched; returns how the engine finds the rows of all it asked. */
export async function plansOf(database: Database, work: (watched: Database) => Promise<unknown>): Promise<string[]> {
  const asked: RootOperationNode[] = [];
  const watch: KyselyPlugin = {
    transformQuery: ({ node }) => (asked.push(node), node),
    transformResult: async ({ result }) => result,
  };
  await work({
    ...database,
    read: database.read.withPlugin(watch),
    transaction: (change) => database.transaction((trx) => change(trx.withPlugin(watch))),
  });
  const plans: string[] = [];
  for (const node of asked) {
    const { sql: text, parameters } = database.read.getExecutor().compileQuery(node, createQueryId());
    const values = parameters as Statement['values'];
    plans.push(...(await planOf(database, { sql: { text, postgres: text, writes: false, locks: false }, values })));
  }
  return plans;
}

/** The steps that look at every row of one of these tables or of an index of it, but for the indexes that are to be small. */
export function readThrough(plans: string[], { tables, small }: { tables: string[]; small: string[] }): string[] {
  const of = tables.join('|');
  const sqlite = new RegExp(`^SCAN (${of})\\b`);
  const postgres = new RegExp(`(Seq Scan|Index Scan|Index Only Scan).* on (${of})\\b|Bitmap Index Scan on (${of})_`);
  return plans.filter((step, place) => {
    const whole = sqlite.test(step) || (postgres.test(step) && !plans[place + 1]?.startsWith('Index Cond'));
    return whole && !small.some((index) => step.includes(index));
  });
}
