import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Program } from './process.ts';

const INSTALL = ['npm', 'ci', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix'];

/** A folder outside the repository with the packages that this one names; installs them once for each lockfile. */
export async function packagesOf(folder: string): Promise<string> {
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  const packages = join(tmpdir(), `beckon-${basename(folder)}-${lock.slice(0, 12)}`);
  if (existsSync(packages)) return packages;
  const fresh = mkdtempSync(join(tmpdir(), 'beckon-packages-'));
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(folder, file), join(fresh, file));
  const { code, err } = await new Program([...INSTALL, fresh]).ended;
  if (code !== 0) throw new Error(`the packages of ${folder} could not be installed: ${err}`);
  if (existsSync(packages)) rmSync(fresh, { recursive: true });
  else renameSync(fresh, packages);
  return packages;
}
