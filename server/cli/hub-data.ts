import type { Person } from '#shared/wire.ts';
import { ensureOwner } from '../people/owner.ts';
import { openDatabase, type Database } from '../platform/database.ts';
import { readSettings, type Settings } from '../platform/settings.ts';
import { store } from '../platform/stored.ts';
import type { Terminal } from './terminal.ts';

/** The hub's data, open for one command. */
export type HubData = { database: Database; settings: Settings; owner: Person; publicUrl: string };

/** Opens the data beside a running hub or without one, making database and owner where there are none yet, and closes it after `work`. */
export async function withHubData<T>(terminal: Terminal, work: (data: HubData) => Promise<T>): Promise<T> {
  const settings = readSettings(terminal.env);
  const database = await openDatabase({ dataDir: settings.DATA_DIR, databaseUrl: settings.DATABASE_URL });
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
  await database.transaction((trx) => store(trx, PUBLIC_URL, publicUrl));
}

async function lastPublicUrl({ read }: Database): Promise<string | undefined> {
  const row = await read.selectFrom('settings').select('value').where('name', '=', PUBLIC_URL).executeTakeFirst();
  return row?.value;
}
