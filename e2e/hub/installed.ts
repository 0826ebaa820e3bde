import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Program } from './process.ts';

const AGENTS = join(import.meta.dirname, '../agents');

/** A copy of an example outside the repository, beside the hub's own client and the packages that it runs on; installs them once for each lockfile. */
export async function installed(name: string, { url }: { url: string }): Promise<string> {
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
  for (const file of ['agent.mjs', 'model.mjs']) cpSync(join(AGENTS, name, file), join(copy, file));
  const client = await fetch(`${url}/client/beckon.mjs`);
  writeFileSync(join(copy, 'client.mjs'), await client.text());
  // Only tests cannot wait as long as people may.
  const waits = 'export const ask = (dialect, body) => all(dialect, body, { deadline: process.env.DEADLINE });';
  writeFileSync(join(copy, 'beckon.mjs'), `import { ask as all } from './client.mjs';\n${waits}\n`);
  return copy;
}
