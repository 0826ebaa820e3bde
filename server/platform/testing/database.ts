import { rmSync } from 'node:fs';
import { after, type TestContext } from 'node:test';
import type { Database } from '../database.ts';
import { openDatabase } from '../engines/open.ts';
import { migratedFolder } from './folder.ts';

/** A database that goes with its test: a new one on SQLite, or the one at `databaseUrl` on Postgres. */
export async function databaseFor(t: TestContext, databaseUrl?: string): Promise<Database> {
  const { database, close } = await open(databaseUrl);
  t.after(close);
  return database;
}

/** A new database on SQLite for all tests of a file, which ends after them. */
export async function sharedDatabase(): Promise<Database> {
  const { database, close } = await open();
  after(close);
  return database;
}

async function open(databaseUrl?: string) {
  const dataDir = await migratedFolder();
  const database = await openDatabase({ dataDir, databaseUrl });
  const close = async (): Promise<void> => {
    await database.close();
    rmSync(dataDir, { recursive: true });
  };
  return { database, close };
}
