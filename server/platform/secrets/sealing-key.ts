import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#shared/problem.ts';
import type { Database } from '../database.ts';
import { storeOnce } from '../stored.ts';
import { makeFile, makeFolder } from './folder.ts';
import { seal, unseal } from './secrets.ts';

const CHECK = 'sealing_key_check';
const KEY_BYTES = 32;

/**
 * The key that seals secret answers, kept outside the database: the setting, else a file in `dataDir` that is made
 * once, readable by its owner alone. Refuses a key other than the first one used with this database.
 */
export async function loadSealingKey({
  dataDir,
  setting,
  database,
}: {
  dataDir: string;
  setting?: string | undefined;
  database: Database;
}): Promise<Buffer> {
  const key = Buffer.from(setting ?? keyFile(dataDir), 'base64');
  if (key.length !== KEY_BYTES) {
    const file = setting === undefined ? join(dataDir, 'sealing-key') : 'in SEALING_KEY';
    const detail = `The sealing key ${file} is damaged: put back the copy that you keep of it.`;
    throw new AppError(500, 'sealing_key.damaged', detail);
  }
  const sealed = await storeOnce(database, CHECK, seal(key, CHECK));
  try {
    unseal(key, sealed);
  } catch {
    throw new AppError(
      500,
      'sealing_key.wrong',
      'This database was sealed with another key: set SEALING_KEY to the one that its other nodes have, or put the file sealing-key back into DATA_DIR.',
    );
  }
  return key;
}

/** The key that this machine has by now, if it has one; makes none, stores nothing and does not say whether it fits. */
export function presentSealingKey(dataDir: string, setting: string | undefined): Buffer | undefined {
  const file = join(dataDir, 'sealing-key');
  if (setting === undefined && !existsSync(file)) return undefined;
  return Buffer.from(setting ?? readFileSync(file, 'utf8').trim(), 'base64');
}

function keyFile(dataDir: string): string {
  const file = join(dataDir, 'sealing-key');
  try {
    makeFolder(dataDir);
    makeFile(file, randomBytes(KEY_BYTES).toString('base64'));
  } catch (error) {
    const { message } = error as Error;
    const detail = `The sealing key ${file} cannot be made: ${message}. Check DATA_DIR and its permissions, or set SEALING_KEY.`;
    throw new AppError(500, 'sealing_key.unusable', detail, { cause: error });
  }
  return readFileSync(file, 'utf8').trim();
}
