import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The key that seals secret answers, kept outside the database: the setting, else a file in
 * `dataDir` that is made once, readable by its owner alone.
 */
export function loadSealingKey({ dataDir, setting }: { dataDir: string; setting?: string | undefined }): Buffer {
  if (setting !== undefined) return Buffer.from(setting, 'base64');
  const file = join(dataDir, 'sealing-key');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    // Exclusive: of two that start at once, one writes and both read the same key.
    writeFileSync(file, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
}
