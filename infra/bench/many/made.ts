import { sql } from 'kysely';
import { newId } from '../../../shared/ids.ts';
import type { Database } from '../../../server/platform/database.ts';
import { hashToken, newToken } from '../../../server/platform/secrets/secrets.ts';
import { createGroup } from '../../../server/people/groups.ts';
import { newKey, type Who } from '../target.ts';

const AT_ONCE = 500;
const COPIED_AT_ONCE = 20_000;
const DAY_MS = 86_400_000;

export const ALL = 'all';
export type Many = { key: string; everybody: Who[] };

/** So many people of so many devices each, a group of all of them, and the key of a source that may ask them. */
export async function makePeople(database: Database, people: number, devices: number): Promise<Many> {
  const key = await newKey(database);
  const now = database.clock.now();
  const everybody = Array.from({ length: people }, (_, at) => ({
    id: newId('per', now),
    handle: `person${at}`,
    tokens: Array.from({ length: devices }, () => newToken('bkd_')),
  }));
  const peopleRows = everybody.map(({ id, handle }) => ({ id, handle, name: handle, created_at: now, locale: null }));
  const deviceRows = everybody.flatMap(({ id, tokens }) =>
    tokens.map((token, at) => ({
      id: newId('dev', now),
      person_id: id,
      name: `device ${at}`,
      token_hash: hashToken(token),
      user_agent: 'bench',
      address: '127.0.0.1',
      created_at: now,
      seen_at: now,
      expires_at: now + DAY_MS,
    })),
  );
  for (const rows of portions(peopleRows))
    await database.transaction((trx) => trx.insertInto('people').values(rows).execute());
  for (const rows of portions(deviceRows))
    await database.transaction((trx) => trx.insertInto('devices').values(rows).execute());
  await createGroup(database, { handle: ALL, members: everybody.map(({ handle }) => handle) });
  return { key, everybody };
}

function portions<T>(rows: T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / AT_ONCE) }, (_, at) =>
    rows.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
  );
}

/** Copies the only inquiry there is, with all that hangs on it, so many times under older ids. */
export async function makePast(database: Database, count: number): Promise<void> {
  const onPostgres = database.engine === 'postgres';
  const series = (from: number, to: number) =>
    onPostgres
      ? `generate_series(${from}, ${to}) as series (n)`
      : `(with recursive series (n) as (select ${from} union all select n + 1 from series where n < ${to}) select n from series)`;
  const older = `'inq_' || ${onPostgres ? "lpad(n::text, 26, '0')" : "printf('%026d', n)"}`;
  const tables = [{ table: 'inquiries', column: 'id' }, ...(await tablesAbout(database, 'inquiry_id'))];
  for (const { table, column } of tables) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(database.read);
    for (const row of rows) {
      const columns = Object.keys(row);
      const copied = columns.map((name) =>
        name === column ? sql.raw(older) : name === 'fingerprint' ? sql.raw("'call ' || n") : sql.lit(row[name]),
      );
      // A statement on Postgres may take 10 s.
      for (let from = 1; from <= count; from += COPIED_AT_ONCE)
        await database.transaction((trx) =>
          sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
          select ${sql.join(copied)} from ${sql.raw(series(from, Math.min(from + COPIED_AT_ONCE - 1, count)))}`.execute(
            trx,
          ),
        );
    }
  }
}

async function tablesAbout({ engine, read }: Database, column: string): Promise<{ table: string; column: string }[]> {
  const catalogue =
    engine === 'postgres'
      ? sql<{ name: string }>`select table_name as name from information_schema.columns
          where column_name = ${column} and table_schema = current_schema()`
      : sql<{ name: string }>`select m.name from sqlite_master m join pragma_table_info(m.name) c
          where m.type = 'table' and c.name = ${column}`;
  return (await catalogue.execute(read)).rows.map(({ name }) => ({ table: name, column }));
}
