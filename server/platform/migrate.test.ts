import { deepStrictEqual, rejects, throws } from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { migrationContract } from './migrate.contract.ts';
import { type MigrationTarget, migrate, readMigrations } from './migrate.ts';

function memory(t: TestContext): MigrationTarget & { tables(): string[] } {
  const database = new DatabaseSync(':memory:');
  t.after(() => database.close());
  return {
    ...targetOf(database),
    tables: () =>
      database
        .prepare("select name from sqlite_schema where type = 'table' order by name")
        .all()
        .map((row) => String(row['name'])),
  };
}

function targetOf(database: DatabaseSync): MigrationTarget {
  return {
    engine: 'sqlite',
    begin: 'begin immediate',
    query: async (sql) => database.prepare(sql).all(),
    exec: async (sql) => database.exec(sql),
  };
}

function folder(t: TestContext, files: Record<string, string>) {
  const path = mkdtempSync(join(tmpdir(), 'beckon-migrations-'));
  t.after(() => rmSync(path, { recursive: true }));
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(path, name), sql);
  return readMigrations(path);
}

const FIRST = { '0001_first.sql': 'create table a (id text);\ncreate table b (id text);' };
const BOTH = { ...FIRST, '0002_second.sql': 'create table c (id text);' };

test('migrations are applied in order, once, and recorded', async (t) => {
  const target = memory(t);
  await migrate(target, folder(t, FIRST));
  await migrate(target, folder(t, BOTH));
  await migrate(target, folder(t, BOTH));
  const rows = await target.query('select number, name from migrations order by number');
  deepStrictEqual(
    [target.tables(), rows.map((row) => ({ ...row }))],
    [
      ['a', 'b', 'c', 'migrations'],
      [
        { number: 1, name: '0001_first.sql' },
        { number: 2, name: '0002_second.sql' },
      ],
    ],
  );
});

test('a migration that fails leaves nothing of itself', async (t) => {
  const target = memory(t);
  const broken = folder(t, { ...FIRST, '0002_second.sql': 'create table c (id text); create table a (id text);' });
  await rejects(migrate(target, broken), /already exists/);
  deepStrictEqual(target.tables(), ['a', 'b', 'migrations']);
  await migrate(target, folder(t, BOTH));
  deepStrictEqual(target.tables(), ['a', 'b', 'c', 'migrations']);
});

test('an edited migration is refused, one with other line ends is not', async (t) => {
  const target = memory(t);
  await migrate(target, folder(t, FIRST));
  await migrate(target, folder(t, { '0001_first.sql': FIRST['0001_first.sql'].replaceAll('\n', '\r\n') }));
  await rejects(migrate(target, folder(t, { '0001_first.sql': 'create table a (id text, edited text);' })), {
    status: 500,
    code: 'database.migration_edited',
  });
});

test('a database newer than the code is refused', async (t) => {
  const target = memory(t);
  await migrate(target, folder(t, BOTH));
  await rejects(migrate(target, folder(t, FIRST)), { status: 500, code: 'database.newer' });
});

test('what a comment says for SQLite runs there alone, and a migration has one SHA-256 on both engines', async (t) => {
  const [migration] = folder(t, {
    '0001_keyed.sql': 'create table a (id text primary key) /* sqlite: without rowid */;',
  });
  const ran: unknown[][] = [];
  for (const engine of ['sqlite', 'postgres'] as const) {
    const target = memory(t);
    await migrate({ ...target, engine }, [migration!]);
    const made = await target.query(
      "select wr, sha256 from pragma_table_list, migrations where pragma_table_list.name = 'a'",
    );
    ran.push(...made.map(({ wr, sha256 }) => [engine, wr, sha256 === migration!.sha256]));
  }
  deepStrictEqual(ran, [
    ['sqlite', 1, true],
    ['postgres', 0, true],
  ]);
});

migrationContract('SQLite', async () => {
  const database = new DatabaseSync(':memory:');
  return { ...targetOf(database), close: async () => database.close() };
});

test('a gap, a double or a strange name among the files is refused', (t) => {
  throws(
    () => folder(t, { ...FIRST, '0003_third.sql': '' }),
    /0003_third.sql is not the migration that follows number 1/,
  );
  throws(() => folder(t, { ...FIRST, '0001_other.sql': '' }), /0001_other.sql is not/);
  throws(() => folder(t, { 'first.sql': '' }), /first.sql is not/);
});

test('schema.ts says what the migrations make, table by table and column by column', async (t) => {
  const target = memory(t);
  await migrate(target);
  const made: string[] = [];
  for (const table of target.tables().filter((name) => name !== 'migrations')) {
    for (const column of await target.query(`select * from pragma_table_info('${table}') order by cid`)) {
      const type = String(column['type']).toLowerCase() === 'text' ? 'string' : 'number';
      const nullable = column['notnull'] === 0 && column['pk'] === 0 ? ' | null' : '';
      made.push(
        `${table}.${String(column['name'])}: ${column['dflt_value'] === null ? type + nullable : `Generated<${type}>`}`,
      );
    }
  }
  deepStrictEqual(declared(), made);
});

/** The tables in schema.ts and tables.ts by name, their columns in order, as `table.column: type`. */
function declared(): string[] {
  const files = ['schema.ts', 'tables.ts'];
  const text = files.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8')).join('');
  const tables = [...text.matchAll(/^ {2}(\w+): \{\n(.*?)^ {2}\};/gms)].toSorted(([, a = ''], [, b = '']) =>
    a < b ? -1 : 1,
  );
  return tables.flatMap(([, table, body = '']) =>
    [...body.matchAll(/^ {4}(\w+): (.+);$/gm)].map(([, column, type]) => `${table}.${column}: ${type}`),
  );
}
