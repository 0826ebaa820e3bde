import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { circles, forbiddenImports, homeless, knots, MAY_IMPORT } from './imports.ts';
import { outsized } from './sizes.ts';
import { filesOf, isTest, readFiles } from './tree.ts';

const files = readFiles(['{shared,server,web,e2e,infra}/**/*.{ts,tsx,mjs}']);

test('every import keeps to the table', () => {
  deepStrictEqual(forbiddenImports(files), []);
});

test('every folder of the server stands in the table', () => {
  deepStrictEqual(homeless(files), []);
});

test('the top level is five folders, three files, the licence and what Markdown and dot-files say', () => {
  const known = /^(\..+|[A-Z]+\.md|LICENSE|package(-lock)?\.json|tsconfig\.json)$/;
  deepStrictEqual(
    filesOf(['*', '.*']).filter((path) => !known.test(path)),
    [],
  );
  const folders = [...new Set(filesOf(['*/**/*']).map((path) => path.split('/')[0]))];
  deepStrictEqual(folders, ['e2e', 'infra', 'server', 'shared', 'web']);
});

test('each row of the table names only rows above it', () => {
  const rows = Object.keys(MAY_IMPORT);
  const upward = Object.entries(MAY_IMPORT).filter(([row, below]) =>
    below.some((name) => rows.indexOf(name) >= rows.indexOf(row) || !rows.includes(name)),
  );
  deepStrictEqual(upward, []);
});

test('within a domain no folders import each other', () => {
  deepStrictEqual(knots(files), []);
});

test('no files import each other, types included', () => {
  deepStrictEqual(circles(files), []);
});

test('no file or name outgrows the house', () => {
  deepStrictEqual(outsized(files), []);
});

test('no hook of a test file runs around the tests of other files, which share its process', () => {
  const shared = files.filter(({ path, text }) => isTest(path) && /^(?:before|after)Each\(/m.test(text));
  deepStrictEqual(
    shared.map(({ path }) => path),
    [],
  );
});

test('the table refuses upward, sideways and backward imports', () => {
  const planted = [
    { path: 'server/people/a.ts', text: `import { b } from '../devices/b.ts';` },
    { path: 'server/platform/a.ts', text: `import type {\n  B,\n  C,\n} from '../inquiries/b.ts';` },
    { path: 'server/live/a.ts', text: `export { b } from '../app.ts';` },
    { path: 'server/mcp/a.ts', text: `const b = await import('../dialects/b.ts');` },
    { path: 'server/mcp/endpoint/a.ts', text: `import { b } from '../gate/b.ts';` },
    { path: 'server/connections/a.ts', text: `import { b } from '../mcp/gate/b.ts';` },
    { path: 'shared/a.ts', text: `import '../server/main.ts';` },
    { path: 'web/inbox/a.tsx', text: `import { b } from '../../server/devices/b.ts';` },
    { path: 'e2e/a.e2e.ts', text: `import { b } from '#shared/b.test.ts';` },
    {
      path: 'server/mcp/gate/fine.ts',
      text: `import { b } from '../b.ts';\nimport { e } from '../../dialects/e.ts';\nimport { c } from '#shared/c.ts';\nimport d from 'fastify';`,
    },
    { path: 'server/people/fine.test.ts', text: `import { b } from '../app.ts';` },
    { path: 'server/app.ts', text: `import { b } from './live/b.ts';` },
  ];
  deepStrictEqual(forbiddenImports(planted), [
    'server/people/a.ts may not import server/devices/b.ts',
    'server/platform/a.ts may not import server/inquiries/b.ts',
    'server/live/a.ts may not import server/app.ts',
    'server/mcp/a.ts may not import server/dialects/b.ts',
    'server/mcp/endpoint/a.ts may not import server/mcp/gate/b.ts',
    'server/connections/a.ts may not import server/mcp/gate/b.ts',
    'shared/a.ts may not import server/main.ts',
    'web/inbox/a.tsx may not import server/devices/b.ts',
    'e2e/a.e2e.ts may not import shared/b.test.ts',
  ]);
  deepStrictEqual(
    homeless([
      { path: 'server/tools/a.ts', text: '' },
      { path: 'server/live/a.ts', text: '' },
    ]),
    ['server/tools/a.ts'],
  );
});

test('folders of one domain that import each other are named, over however many steps', () => {
  const planted = [
    { path: 'server/gate/open.ts', text: `import { routes } from './http/routes.ts';` },
    { path: 'server/gate/http/routes.ts', text: `import type { Gate } from '../gates.ts';` },
    { path: 'server/gate/gates.ts', text: `import { b } from '../mcp/b.ts';` },
    { path: 'server/mcp/b.ts', text: `import { c } from './tools/c.ts';` },
    { path: 'server/mcp/tools/c.ts', text: `import { d } from '../words/d.ts';\nimport { e } from './c.ts';` },
    { path: 'server/mcp/words/d.ts', text: `import { b } from '../b.ts';` },
    { path: 'server/live/live.ts', text: `import { f } from './border/f.ts';` },
    { path: 'server/live/border/f.ts', text: `import { z } from 'zod';` },
    { path: 'server/live/border/f.test.ts', text: `import { live } from '../live.ts';` },
    { path: 'server/live/testing/hub.ts', text: `import { live } from '../live.ts';` },
    { path: 'server/live/live.contract.ts', text: `import { hub } from './testing/hub.ts';` },
  ];
  deepStrictEqual(knots(planted), ['server/gate server/gate/http', 'server/mcp server/mcp/tools server/mcp/words']);
});

test('files that import each other are named, also where only a type comes back', () => {
  const planted = [
    { path: 'server/live/a.ts', text: `import { b } from './b.ts';` },
    { path: 'server/live/b.ts', text: `import { c } from './c.ts';` },
    { path: 'server/live/c.ts', text: `import type { A } from './a.ts';\nimport { d } from '#shared/d.ts';` },
    { path: 'shared/d.ts', text: `import { z } from 'zod';` },
  ];
  deepStrictEqual(circles(planted), ['server/live/a.ts server/live/b.ts server/live/c.ts']);
});

test('the size limits refuse what is one line too many', () => {
  const long = (count: number) => 'x\n'.repeat(count);
  const planted = [
    { path: 'server/live/a.ts', text: long(301) },
    { path: 'server/live/b.ts', text: long(300) },
    { path: 'server/live/a.test.ts', text: long(501) },
    { path: 'server/main.ts', text: long(61) },
    { path: 'server/app.ts', text: long(201) },
    { path: 'web/service-worker/sw.ts', text: long(81) },
    { path: 'web/ui/string-utils.ts', text: '' },
  ];
  deepStrictEqual(outsized(planted), [
    'server/live/a.ts has 301 lines, more than 300',
    'server/live/a.test.ts has 501 lines, more than 500',
    'server/main.ts has 61 lines, more than 60',
    'server/app.ts has 201 lines, more than 200',
    'web/service-worker/sw.ts has 81 lines, more than 80',
    'web/ui/string-utils.ts has a name that says nothing',
  ]);
});
