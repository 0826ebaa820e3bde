import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Where the data of tests goes: memory where there is enough of it, so that the flushes stay and cost nothing. */
export function roomyFolder(): string {
  const memory = '/dev/shm';
  if (process.env['TMPDIR'] !== undefined || !existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 2 ** 30 ? memory : tmpdir();
}
