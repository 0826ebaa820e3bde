import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSourceForEverybody } from '../sources/create.ts';
import { findSource } from '../sources/find.ts';
import { withHubData, type HubData } from './hub-data.ts';
import { writePrivate } from './private-file.ts';
import type { Terminal } from './terminal.ts';

/** The file with the key of the source that `ask` is on the hub's own machine. */
export const commandLineKeyFile = (dataDir: string): string => join(dataDir, 'command-line-key');

/**
 * The key of the source that `ask` is on the hub's own machine, kept in `DATA_DIR/command-line-key` (0600) and
 * made when it is missing or was revoked. Who can run this is the operator, so it may ask everybody.
 */
export async function ensureCommandLineKey({
  database,
  settings,
  owner,
}: Pick<HubData, 'database' | 'settings' | 'owner'>): Promise<string> {
  const file = commandLineKeyFile(settings.DATA_DIR);
  const kept = await readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => '',
  );
  if (kept !== '' && (await findSource(database, kept)) !== 'unknown') return kept;
  const { key } = await createSourceForEverybody(database, owner.id, 'Command line');
  await writePrivate(file, `${key}\n`);
  return key;
}

/** The same for a command that has not opened the hub's data. */
export async function commandLineKey(terminal: Terminal): Promise<string> {
  return withHubData(terminal, ensureCommandLineKey);
}
