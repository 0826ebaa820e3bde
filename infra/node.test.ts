import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import packageJson from '../package.json' with { type: 'json' };

const { node: version } = packageJson.devDependencies;

/** An npm that installs a program named node. */
const NPM = `
const { mkdirSync, writeFileSync } = require('node:fs');
mkdirSync('node_modules/node/bin', { recursive: true });
writeFileSync('node_modules/node/bin/node', 'fetched');
`;

test('a folder of the pinned Node without its program is fetched anew', (t) => {
  const folder = folderOf(t);
  const npm = join(folder, 'npm.cjs');
  writeFileSync(npm, NPM);
  const cache = join(folder, 'cache');
  const broken = join(cache, `node-${version}`);
  mkdirSync(join(broken, 'node_modules'), { recursive: true });
  const { status, stdout } = script(
    `import { fetchNode } from './infra/node.mjs'; console.log(fetchNode(${JSON.stringify(cache)}));`,
    { npm_execpath: npm },
  );
  const fetched = join(broken, 'node_modules/node/bin/node');
  deepStrictEqual([status, stdout, readdirSync(cache)], [0, `${fetched}\n`, [`node-${version}`]]);
  strictEqual(readFileSync(fetched, 'utf8'), 'fetched');
});

test('a program that cannot be started is told in one sentence, with exit code 1', (t) => {
  const program = join(folderOf(t), 'node');
  writeFileSync(program, '');
  chmodSync(program, 0o600);
  const { status, stderr } = script(
    `import { runAs } from './infra/hand-over.mjs'; runAs(${JSON.stringify(program)}, [], {});`,
  );
  deepStrictEqual([status, stderr], [1, `${program} cannot be started: EACCES.\n`]);
});

test('a script is compiled once, into the cache that its environment names, or else beside its packages', () => {
  const code = `import { handOver } from './infra/hand-over.mjs'; handOver('-p', ['process.env.NODE_COMPILE_CACHE']);`;
  const caches = [{}, { NODE_COMPILE_CACHE: '/var/cache/beckon' }].map((env) => script(code, env).stdout);
  const own = join(import.meta.dirname, '../node_modules/.cache/node');
  deepStrictEqual(caches, [`${own}\n`, '/var/cache/beckon\n']);
});

function script(code: string, env: Record<string, string> = {}) {
  return spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: join(import.meta.dirname, '..'),
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
  });
}

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-node-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}
