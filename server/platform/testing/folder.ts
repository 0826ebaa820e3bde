import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite, sqlitePath } from '../sqlite/open.ts';
import { roomyFolder } from './memory.ts';

let template: Promise<string> | undefined;

/** A new folder with a database of every migration and no row, copied from one that was migrated once in this process. */
export async function migratedFolder(): Promise<string> {
  const dataDir = newFolder();
  copyFileSync(await (template ??= makeTemplate()), sqlitePath(dataDir));
  return dataDir;
}

async function makeTemplate(): Promise<string> {
  const dataDir = newFolder();
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  await (await openSqlite({ dataDir })).close();
  return sqlitePath(dataDir);
}

const newFolder = (): string => mkdtempSync(join(roomyFolder(), 'beckon-'));
