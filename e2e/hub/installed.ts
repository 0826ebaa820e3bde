import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Program } from './process.ts';

const AGENTS = join(import.meta.dirname, '../agents');

/** A copy of an example outside the repository, beside the packages that it runs on; installs them once for each lockfile. */
export async function installed(name: string): Promise<string> {
  const lock = createHash('sha256')
    .update(readFileSync(join(AGENTS, 'package-lock.json')))
    .digest('hex');
  const packages = join(tmpdir(), `beckon-agents-${lock.slice(0, 12)}`);
  if (!existsSync(packages)) {
    const fresh = mkdtempSync(join(tmpdir(), 'beckon-agents-'));
    for (const file of ['package.json', 'package-lock.json']) cpSync(join(AGENTS, file), join(fresh, file));
    const { code, err } = await new Program(['npm', 'ci', '--no-audit', '--no-fund', '--prefix', fresh]).ended;
    if (code !== 0) throw new Error(`the packages of the examples could not be installed: ${err}`);
    if (existsSync(packages)) rmSync(fresh, { recursive: true });
    else renameSync(fresh, packages);
  }
  const copy = mkdtempSync(join(tmpdir(), `beckon-agent-${name}-`));
  symlinkSync(join(packages, 'node_modules'), join(copy, 'node_modules'));
  for (const from of [join(AGENTS, 'ask.mjs'), join(AGENTS, name, 'agent.mjs'), join(AGENTS, name, 'model.mjs')])
    cpSync(from, join(copy, from.slice(from.lastIndexOf('/') + 1)));
  return copy;
}
