import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pinnedNode } from './install.mjs';
import { refuse, root } from './node.mjs';

/** Builds web/dist unless it is newer than everything it is made of. */
export function buildPage() {
  const guides = ['agents', 'connect-your-agent', 'claude-code', 'langgraph'].map((name) => `infra/${name}.md`);
  const parts = ['web', 'shared', ...guides, 'package-lock.json'];
  if (lastChange('web/dist/index.html') > Math.max(...parts.map(lastChange))) return;
  console.log('Building the page …');
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const ended = spawnSync(pinnedNode, [vite, 'build', 'web', '--logLevel', 'warn'], { cwd: root, encoding: 'utf8' });
  if (ended.status === 0) return;
  process.stderr.write(`${ended.stdout}${ended.stderr}`);
  refuse('The page could not be built: the lines above say why.');
}

// Milliseconds since 1970 of the newest file in it; 0 when there is none.
function lastChange(path) {
  const full = join(root, path);
  const found = statSync(full, { throwIfNoEntry: false });
  if (!found) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  const inside = readdirSync(full).filter((name) => name !== 'dist' && name !== 'node_modules');
  return Math.max(found.mtimeMs, ...inside.map((name) => lastChange(join(path, name))));
}
