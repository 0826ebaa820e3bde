import { existsSync } from 'node:fs';
import { chmod, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { backup as copy, DatabaseSync } from 'node:sqlite';
import { AppError } from '#shared/problem.ts';
import { syncFolder } from '../platform/secrets/folder.ts';
import { readSettings } from '../platform/settings.ts';
import { sqlitePath } from '../platform/sqlite/open.ts';
import { command } from './command/command.ts';
import { refuseMissing } from './command/hub-data.ts';
import { print, UsageError, type Terminal } from './command/terminal.ts';

/** `backup FILE`: a consistent copy of the embedded database, by SQLite's own online method, beside a running hub. */
export const backup = command({
  name: 'backup',
  does: 'copy the embedded database while the hub runs',
  args: ['FILE'],
  json: true,
  more: 'The file must not be there yet. Data in Postgres is backed up with pg_dump.',
  examples: ['beckon backup /backup/beckon-$(date +%F).sqlite'],
  run: ({ args: [file = ''], json }, terminal) => backUp(file, json, terminal),
});

async function backUp(file: string, json: boolean, terminal: Terminal): Promise<void> {
  const settings = readSettings(terminal.env);
  const { DATA_DIR, DATABASE_URL } = settings;
  if (DATABASE_URL !== undefined)
    throw new UsageError(
      `The data is in Postgres: back it up with "pg_dump --format=custom --file=${file}" and your DATABASE_URL.`,
    );
  if (existsSync(file)) throw new UsageError(`${file} is there already; name a new file.`);
  await refuseMissing(settings);
  await copyTo(file, sqlitePath(DATA_DIR));
  const key = join(resolve(DATA_DIR), 'sealing-key');
  const beside = existsSync(key) ? key : undefined;
  const also = beside === undefined ? '' : ` Keep ${key} too, elsewhere: secret answers are sealed with it.`;
  const path = resolve(file);
  print(terminal, json, { file: path, sealingKey: beside }, `Backed up to ${path}.${also}`);
}

async function copyTo(file: string, path: string): Promise<void> {
  // Under another name until it is whole, so that a backup that broke off is never taken for one.
  const part = `${file}.part`;
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    await rm(part, { force: true });
    await copy(database, part);
    await chmod(part, 0o600);
    await rename(part, file);
    // Said to be there, it is there after a power cut.
    syncFolder(dirname(resolve(file)));
  } catch (error) {
    throw new AppError(
      500,
      'backup.failed',
      `The backup could not be written to ${resolve(file)}: ${(error as Error).message}.`,
    );
  } finally {
    database.close();
  }
}
