import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

/** Prepares statements in a database, which looks up every table and column in them and runs nothing; the refused ones. */
export async function refusedOf(
  statements: string[],
  { file, url }: { file?: string; url?: string },
): Promise<{ sql: string; why: string }[]> {
  return url === undefined ? refusedBySqlite(statements, file ?? '') : refusedByPostgres(statements, url);
}

function refusedBySqlite(statements: string[], file: string): { sql: string; why: string }[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return statements.flatMap((sql) => {
      try {
        database.prepare(sql);
        return [];
      } catch (error) {
        return [{ sql, why: (error as Error).message }];
      }
    });
  } finally {
    database.close();
  }
}

async function refusedByPostgres(statements: string[], url: string): Promise<{ sql: string; why: string }[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const refused: { sql: string; why: string }[] = [];
  try {
    for (const sql of statements) {
      const why = await client.query(`prepare old as ${sql}`).then(
        async () => void (await client.query('deallocate old')),
        (error: Error) => error.message,
      );
      if (why !== undefined) refused.push({ sql, why });
    }
    return refused;
  } finally {
    await client.end();
  }
}
