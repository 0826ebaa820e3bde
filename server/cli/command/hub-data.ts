import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Person } from '#shared/wire.ts';
import type { Database } from '../../platform/database.ts';
import { databaseOf, readSettings, type Settings } from '../../platform/settings.ts';
import { UsageError, type Terminal } from './terminal.ts';

/** As many as there are, where a list has pages. */
export const ALL = 1_000_000_000;

/** The hub's data, open for one command. */
export type HubData = { database: Database; settings: Settings; owner: Person; publicUrl: string };

/** Opens the data beside a running hub or without one, making database and owner where there are none yet, and closes it after `work`. */
export async function withHubData<T>(terminal: Terminal, work: (data: HubData) => Promise<T>): Promise<T> {
  const settings = readSettings(terminal.env);
  // Only here, because a command with a key of its own needs none of the hub's data.
  const { openDatabase } = await import('../../platform/engines/open.ts');
  const { ensureOwner } = await import('../../people/owner.ts');
  const database = await openDatabase(databaseOf(settings));
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
export async function hubOf(terminal: Terminal): Promise<{ url: string; key: string }> {
  const { BECKON_URL, BECKON_KEY } = terminal.env;
  const url = BECKON_URL || `http://127.0.0.1:${readSettings(terminal.env).PORT}`;
  if (!URL.canParse(url)) throw new UsageError(`BECKON_URL must look like http://127.0.0.1:4275, not ${url}.`);
  return { url: url.replace(/\/$/, ''), key: BECKON_KEY || (await withHubData(terminal, ensureCommandLineKey)) };
}

/** The file with the key of the source that `ask` is on the hub's own machine. */
export const commandLineKeyFile = (dataDir: string): string => join(dataDir, 'command-line-key');

/**
 * The key of the source that `ask` is on the hub's own machine, kept in `DATA_DIR/command-line-key` (0600) and
 * made when it is missing or was revoked. Who can run this is the operator, so it may ask everybody.
 */
export async function ensureCommandLineKey({ database, settings, owner }: HubData): Promise<string> {
  const file = commandLineKeyFile(settings.DATA_DIR);
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim();
  const { findSource } = await import('../../sources/find.ts');
  if (kept !== '' && (await findSource(database, kept)) !== 'unknown') return kept;
  const { createSourceForEverybody } = await import('../../sources/create.ts');
  const { key } = await createSourceForEverybody(database, owner.id, 'Command line');
  await writePrivate(file, `${key}\n`);
  return key;
}

/** Writes a file that only its owner can read. It is made anew, because a mode does not change a file that stands already. */
export async function writePrivate(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await rm(file, { force: true });
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
}
