import { deepStrictEqual, match } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { root } from './tree.ts';

// A house with this repository's settings and files of the test's own.
const house = mkdtempSync(join(tmpdir(), 'beckon-guards-'));
after(() => rmSync(house, { recursive: true }));
for (const name of [
  'package.json',
  'tsconfig.json',
  '.oxlintrc.json',
  '.oxfmtrc.json',
  '.knip.json',
  'shared/tsconfig.json',
  'shared/universal.d.ts',
  'web/tsconfig.json',
])
  cpSync(join(root, name), join(house, name));
symlinkSync(join(root, 'node_modules'), join(house, 'node_modules'), 'dir');

const GOOD = `import { test } from 'node:test';\n\ntest('fine', () => {});\n`;

const BAD: Record<string, { rule: string; text: string }> = {
  'server/people/cycle.ts': {
    rule: 'import(no-cycle)',
    text: `import { b } from './cycle-back.ts';\n\nexport const a = (): unknown => b;\n`,
  },
  'server/people/floating.ts': { rule: 'typescript(no-floating-promises)', text: 'Promise.resolve(1);\n' },
  'server/people/misused.ts': {
    rule: 'typescript(no-misused-promises)',
    text: `process.on('exit', async () => {\n  await Promise.resolve();\n});\n`,
  },
  'server/people/switch.ts': {
    rule: 'typescript(switch-exhaustiveness-check)',
    text: `export function f(x: 'a' | 'b'): number {\n  switch (x) {\n    case 'a':\n      return 1;\n  }\n  return 2;\n}\n`,
  },
  'server/people/throws.ts': { rule: 'typescript(only-throw-error)', text: `throw 'a string';\n` },
  'server/people/default.ts': { rule: 'import(no-default-export)', text: 'export default 1;\n' },
  'server/people/barrel.ts': { rule: 'oxc(no-barrel-file)', text: `export * from './cycle-back.ts';\n` },
  'server/people/any.ts': { rule: 'typescript(no-explicit-any)', text: 'export const a = (b: any): unknown => b;\n' },
  'server/people/long.ts': {
    rule: 'eslint(max-lines-per-function)',
    text: `export function f(): void {\n${'  f();\n'.repeat(70)}}\n`,
  },
  'server/people/unused.ts': { rule: 'eslint(no-unused-vars)', text: 'const a = 1;\n' },
  'server/people/page.ts': { rule: 'eslint(no-restricted-imports)', text: `import '../../web/inbox/deep/inbox.ts';\n` },
  'server/people/deep.ts': { rule: 'eslint(no-restricted-imports)', text: `import '../../shared/ids.ts';\n` },
  'web/inbox/server.ts': { rule: 'eslint(no-restricted-imports)', text: `import '../../server/people/deep/a.ts';\n` },
  'web/inbox/node.ts': { rule: 'eslint(no-restricted-imports)', text: `import 'node:fs';\n` },
  'shared/node.ts': { rule: 'eslint(no-restricted-imports)', text: `import 'node:fs';\n` },
  'shared/server.ts': { rule: 'eslint(no-restricted-imports)', text: `import '../server/people/a.ts';\n` },
  'e2e/server.e2e.ts': { rule: 'eslint(no-restricted-imports)', text: `import '../server/people/a.ts';\n` },
};

test('every lint rule of the house bites, and a test of node:test passes', () => {
  plant(Object.fromEntries(Object.entries(BAD).map(([path, { text }]) => [path, text])));
  plant({
    'server/people/fine.test.ts': GOOD,
    'server/people/cycle-back.ts': `import { a } from './cycle.ts';\n\nexport const b = (): unknown => a;\n`,
  });
  const found = JSON.parse(run('oxlint', '-f', 'json').stdout) as { diagnostics: { filename: string; code: string }[] };
  const codes = Object.groupBy(found.diagnostics, ({ filename }) => filename);
  const missed = Object.entries(BAD).filter(([path, { rule }]) => !codes[path]?.some(({ code }) => code === rule));
  deepStrictEqual(
    missed.map(([path, { rule }]) => `${path}: ${rule}`),
    [],
  );
  deepStrictEqual(codes['server/people/fine.test.ts'], undefined);
});

test('a server without a page, a page without Node and shared code without either are enforced by types', () => {
  const worlds = [
    { project: '.', path: 'server/people/world.ts', text: 'document.title;\n', error: /world\.ts.*'document'/ },
    { project: 'web', path: 'web/inbox/world.ts', text: 'process.exit();\n', error: /world\.ts.*'process'/ },
    { project: 'shared', path: 'shared/world.ts', text: 'process.exit();\n', error: /world\.ts.*'process'/ },
    { project: 'shared', path: 'shared/page.ts', text: 'document.title;\n', error: /page\.ts.*'document'/ },
    {
      project: '.',
      path: 'server/people/enum.ts',
      text: 'export enum A {\n  b,\n}\n',
      error: /enum\.ts.*erasableSyntaxOnly/,
    },
  ];
  for (const { project, path, text, error } of worlds) {
    plant({ [path]: text });
    match(run('tsc', '-p', project).stdout, error);
  }
});

test('a file nobody formatted is refused', () => {
  plant({ 'server/people/shape.ts': 'export const a = {b:"c"}\n' });
  match(run('oxfmt', '--list-different', 'server/people/shape.ts').stdout, /shape\.ts/);
});

test('a file, an export and a dependency that nobody uses are named', () => {
  plant({
    'server/main.ts': `import { used } from './people/exports.ts';\n\nused();\n`,
    'server/people/exports.ts': 'export const used = (): void => {};\nexport const idle = 1;\n',
  });
  const { stdout } = run('knip', '--no-progress');
  match(stdout, /server\/people\/unused\.ts/);
  match(stdout, /idle .*server\/people\/exports\.ts/);
  match(stdout, /^kysely /m);
});

function plant(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(house, path)), { recursive: true });
    writeFileSync(join(house, path), text);
  }
}

function run(program: string, ...args: string[]): { stdout: string } {
  return spawnSync(join(root, 'node_modules/.bin', program), args, { cwd: house, encoding: 'utf8' });
}
