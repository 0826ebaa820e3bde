import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, globSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const KEPT = join(ROOT, 'node_modules/.cache/beckon');
const DAY_MS = 24 * 3_600_000;
const SOURCES = ['{server,shared}/**/*.{ts,json,mjs}', 'package-lock.json', 'infra/pack/bundle.ts'];

/**
 * The hub and its command line of this clone, bundled as in the tarball: tests start hundreds of them, and a bundle starts
 * in half the time. It is made anew when a source has changed since.
 */
export const BUNDLE = bundle();

function bundle(): { hub: string; hubs: string; command: string } {
  const folder = join(KEPT, stateOfSources());
  if (!existsSync(folder)) make(folder);
  const path = (name: string) => join(folder, `start-${name}.mjs`);
  return { hub: path('hub'), hubs: path('hubs'), command: path('command') };
}

function stateOfSources(): string {
  const files = globSync(SOURCES, { cwd: ROOT, exclude: (name) => name.endsWith('.test.ts') }).toSorted();
  const state = files.map((file) => [file, statSync(join(ROOT, file)).mtimeMs]);
  return createHash('sha256').update(JSON.stringify(state)).digest('hex').slice(0, 16);
}

// Two test files that start at once both make it, and the first to be done wins.
function make(folder: string): void {
  const before = globSync('*', { cwd: KEPT }).map((name) => join(KEPT, name));
  for (const old of before) if (statSync(old).mtimeMs < Date.now() - DAY_MS) rmSync(old, { recursive: true });
  const own = join(KEPT, randomUUID());
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'infra/pack/bundle.ts'), own], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the hub could not be bundled: ${stderr}`);
  try {
    renameSync(own, folder);
  } catch {
    rmSync(own, { recursive: true });
  }
}
