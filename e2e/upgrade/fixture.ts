import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { type Hub, startHub } from '../hub/hub.ts';
import type { Engine } from '../hub/nodes.ts';
import { freshDatabase } from '../hub/servers.ts';
import type { Credentials } from './fill.ts';
import type { Told } from './read.ts';

/** Databases that 2fe2230, the last version before migrations only added, left behind when it was killed. */
export const FIXTURES = join(import.meta.dirname, 'fixtures');
/** What sealed the fixtures; nothing else has it. */
export const SEALING_KEY = Buffer.alloc(32, 28).toString('base64');

/** `takenAt`: when its hub was killed; `told`: what that version said of it when it came back, at `toldAt`. */
type Kept = { takenAt: number; toldAt: number; credentials: Credentials & { commandLine: string }; told: Told };
export type Fixture = { hub: Hub; databaseUrl: string; at: number; remove(): Promise<void> };

export const unpacked = (name: string): Buffer => gunzipSync(readFileSync(join(FIXTURES, name)));
export const recordOf = (engine: Engine): Kept => JSON.parse(unpacked(`${engine}.json.gz`).toString()) as Kept;

/** The statements that 2fe2230 and its tests make of this engine. */
export const statementsOf = (engine: Engine): string[] =>
  JSON.parse(unpacked(`${engine}.statements.json.gz`).toString()) as string[];

/** Starts this version on a copy of a fixture whose every instant is moved, as if its hub had been killed just now. */
export async function open(engine: Engine): Promise<Fixture> {
  await using cleaning = new AsyncDisposableStack();
  const at = Date.now();
  const dataDir = mkdtempSync(join(tmpdir(), 'beckon-upgrade-'));
  const settings: { [name: string]: string } = { DATA_DIR: dataDir, SEALING_KEY };
  const { takenAt, credentials } = recordOf(engine);
  writeFileSync(join(dataDir, 'command-line-key'), credentials.commandLine);
  const byMs = at - takenAt;
  if (engine === 'SQLite') restoreFile(join(dataDir, 'beckon.sqlite'), byMs);
  else {
    const database = cleaning.adopt(await freshDatabase(), ({ drop }) => drop());
    settings['DATABASE_URL'] = database.url;
    await restoreDump(database.url, byMs);
  }
  const hub = cleaning.adopt(await startHub(settings), (one) => one.remove());
  const kept = cleaning.move();
  return { hub, databaseUrl: settings['DATABASE_URL'] ?? '', at, remove: () => kept.disposeAsync() };
}

/** The same text with every instant in it moved: of 13 digits, and as ISO 8601 in UTC. */
export function moved(text: string, byMs: number): string {
  return text
    .replace(/\b1[78]\d{11}\b/g, (ms) => String(Number(ms) + byMs))
    .replace(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (iso) => new Date(Date.parse(iso) + byMs).toISOString());
}

function restoreFile(path: string, byMs: number): void {
  writeFileSync(path, unpacked('SQLite.sqlite.gz'));
  const database = new DatabaseSync(path);
  database.function('moved', (value) => (typeof value === 'string' ? moved(value, byMs) : value));
  const columns = database
    .prepare(
      `select m.name as "table", c.name as "column", c.type from sqlite_schema m join pragma_table_info(m.name) c
       where m.type = 'table' and m.name not like 'sqlite_%'`,
    )
    .all() as { table: string; column: string; type: string }[];
  database.exec('begin');
  for (const { table, column, type } of columns)
    if (type.toLowerCase() === 'bigint') {
      const later = `"${column}" = "${column}" + ${byMs} where "${column}" between 1700000000000 and 1899999999999`;
      database.exec(`update ${table} set ${later}`);
    } else if (type.toLowerCase() === 'text') database.exec(`update ${table} set "${column}" = moved("${column}")`);
  database.exec('commit');
  database.close();
}

async function restoreDump(url: string, byMs: number): Promise<void> {
  // What only psql understands, and settings that not every Postgres has.
  const dump = unpacked('Postgres.sql.gz')
    .toString()
    .replace(/^(\\|SET ).*$/gm, '');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(moved(dump, byMs));
  } finally {
    await client.end();
  }
}
