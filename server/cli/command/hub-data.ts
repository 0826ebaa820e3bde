import { existsSync, readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { AppError } from '#shared/problem.ts';
import type { Person } from '#shared/wire.ts';
import type { Database } from '../../platform/database.ts';
import { makeFolder } from '../../platform/secrets/folder.ts';
import { toDatabaseOptions, readSettings, type Settings } from '../../platform/settings.ts';
import { UsageError, type Terminal } from './terminal.ts';

/** As many as there are, where a list has pages. */
export const ALL = 1_000_000_000;

/** The hub's data, open for one command. */
export type HubData = { database: Database; settings: Settings; owner: Person; publicUrl: string };

/** Opens the data beside a running hub or without one, and closes it after `work`; refuses where there is none. */
export async function withHubData<T>(terminal: Terminal, work: (data: HubData) => Promise<T>): Promise<T> {
  const settings = readSettings(terminal.env);
  await refuseMissing(settings);
  return withData(settings, work);
}

/** The same, making database and owner where there are none yet, unless a hub runs here: its data is elsewhere then. */
export async function withNewHubData<T>(terminal: Terminal, work: (data: HubData) => Promise<T>): Promise<T> {
  const settings = readSettings(terminal.env);
  if (!(await hasData(settings)) && (await isHubOn(settings.PORT)))
    throw missing(
      `A hub runs on port ${settings.PORT}, but there is no database in ${resolve(settings.DATA_DIR)}; set DATA_DIR to the folder of that hub.`,
    );
  return withData(settings, work);
}

/** True where there is a database by now, or one in Postgres. */
export async function hasData({ DATABASE_URL, DATA_DIR }: Settings): Promise<boolean> {
  const { sqlitePath } = await import('../../platform/sqlite/open.ts');
  return DATABASE_URL !== undefined || existsSync(sqlitePath(DATA_DIR));
}

/** Throws 404 where a command would look into an empty folder. */
export async function refuseMissing(settings: Settings): Promise<void> {
  if (!(await hasData(settings))) throw missing(`There is no database in ${resolve(settings.DATA_DIR)}; set DATA_DIR.`);
}

const missing = (sentence: string): AppError => new AppError(404, 'database.missing', sentence);

const REPLIES_MS = 2_000;

async function isHubOn(port: number): Promise<boolean> {
  try {
    const reply = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(REPLIES_MS) });
    return ((await reply.json()) as { status?: unknown } | null)?.status === 'ok';
  } catch {
    return false;
  }
}

async function withData<T>(settings: Settings, work: (data: HubData) => Promise<T>): Promise<T> {
  // Only here, because a command with a key of its own needs none of the hub's data.
  const { openDatabase } = await import('../../platform/engines/open.ts');
  const { ensureOwner } = await import('../../people/owner.ts');
  const database = await openDatabase(toDatabaseOptions(settings));
  try {
    return await work({
      database,
      settings,
      owner: await ensureOwner(database),
      publicUrl: settings.PUBLIC_URL ?? (await lastPublicUrl(database)) ?? `http://localhost:${settings.PORT}`,
    });
  } finally {
    await database.close();
  }
}

const PUBLIC_URL = 'public_url';

/** Keeps where the hub is opened, so that links made beside it lead there without its environment. */
export async function keepPublicUrl(database: Database, publicUrl: string): Promise<void> {
  const { store } = await import('../../platform/stored.ts');
  await database.transaction((trx) => store(trx, PUBLIC_URL, publicUrl));
}

async function lastPublicUrl({ read }: Database): Promise<string | undefined> {
  const row = await read.selectFrom('settings').select('value').where('name', '=', PUBLIC_URL).executeTakeFirst();
  return row?.value;
}

/** Where the hub is called and with which key: BECKON_URL and BECKON_KEY, else the hub of this machine as its command line. */
export async function findHub(terminal: Terminal): Promise<{ url: string; key: string }> {
  const { BECKON_KEY } = terminal.env;
  const url = hubUrl(terminal);
  return { url, key: BECKON_KEY || (await withNewHubData(terminal, ensureCommandLineKey)) };
}

/** The same as the person of a device: BECKON_DEVICE is its token. */
export function findDeviceHub(terminal: Terminal): { url: string; key: string } {
  const { BECKON_DEVICE } = terminal.env;
  if (BECKON_DEVICE) return { url: hubUrl(terminal), key: BECKON_DEVICE };
  throw new UsageError(
    'Set BECKON_DEVICE to the token of a device; "beckon device add HANDLE NAME" makes one on the hub\'s machine.',
  );
}

const addressFile = (dataDir: string): string => join(dataDir, 'hub-address');

/** Keeps where this machine calls the hub that starts, so that commands beside its data need no PORT. */
export async function keepAddress({ settings: { DATA_DIR, HOST, PORT }, publicUrl }: HubData): Promise<void> {
  const host = /^(0\.0\.0\.0|::|localhost)$/.test(HOST) ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST;
  await writePrivate(addressFile(DATA_DIR), `http://${host}:${PORT || new URL(publicUrl).port}\n`);
}

/** The address of the hub: BECKON_URL, else that of this machine at PORT, else where the one of DATA_DIR started last. */
export function hubUrl({ env }: Terminal): string {
  const url = env['BECKON_URL'] || ownAddress(env);
  if (!URL.canParse(url)) throw new UsageError(`BECKON_URL must look like http://127.0.0.1:4275, not ${url}.`);
  return url.replace(/\/$/, '');
}

function ownAddress(env: Terminal['env']): string {
  const { PORT, DATA_DIR } = readSettings(env);
  try {
    if (!env['PORT']?.trim()) return readFileSync(addressFile(DATA_DIR), 'utf8').trim();
  } catch {
    // No hub has started with this data yet.
  }
  return `http://127.0.0.1:${PORT}`;
}

/** The file with the key of the source that `ask` is on the hub's own machine. */
export const commandLineKeyFile = (dataDir: string): string => join(dataDir, 'command-line-key');

/**
 * The key of the source that `ask` is on the hub's own machine, kept in `DATA_DIR/command-line-key` (0600) and
 * made when it is missing or was revoked. Who can run this is the operator, so it may ask everybody.
 */
export async function ensureCommandLineKey({ database, settings, owner }: HubData): Promise<string> {
  const file = commandLineKeyFile(settings.DATA_DIR);
  const saved = (await readFile(file, 'utf8').catch(() => '')).trim();
  const { findSource } = await import('../../sources/find.ts');
  if (saved !== '' && (await findSource(database, saved)) !== 'unknown') return saved;
  const { createSourceForEverybody } = await import('../../sources/create.ts');
  const { key } = await createSourceForEverybody(database, owner.id, 'Command line');
  await writePrivate(file, `${key}\n`);
  return key;
}

/** Writes a file that only its owner can read. It is made anew, because a mode does not change a file that stands already. */
export async function writePrivate(file: string, text: string): Promise<void> {
  makeFolder(dirname(file));
  await rm(file, { force: true });
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
}
