import { deepStrictEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { machinePaths, staleAnchors, staleNames } from './documents.ts';
import { filesOf, readFiles } from './tree.ts';

const [manifest] = readFiles(['package.json']);
const scripts = Object.keys((JSON.parse(manifest?.text ?? '{}') as { scripts: object }).scripts);
const documents = readFiles(['*.md', '{infra,e2e,server,web}/**/*.md', 'shared/*.md']);
const everything = ['*', '.ci/*', '.*', '{shared,server,web,e2e,infra}/**/*'];

test('every path and script that a document names exists', () => {
  ok(documents.some(({ path }) => path === 'shared/RULES.md'));
  deepStrictEqual(staleNames(documents, filesOf(everything), scripts), []);
});

test('every heading that a document links to exists', () => {
  deepStrictEqual(staleAnchors(documents), []);
  const planted = [
    { path: 'a/one.md', text: '# One\n[here](#one), [there](two.md#a-gates-rules) and [gone](two.md#gone)' },
    { path: 'a/two.md', text: "## A gate's rules\n```sh\n# Gone\n```" },
  ];
  deepStrictEqual(staleAnchors(planted), ['a/one.md links to a/two.md#gone, which does not exist']);
});

test('a guide begins with when to read it', () => {
  const guides = documents.filter(({ path }) => /^infra\/[^/]+\.md$/.test(path));
  deepStrictEqual(
    guides.filter(({ text }) => !/^# .+\n\nRead this (if|when|before) /.test(text)).map(({ path }) => path),
    [],
  );
});

test('the README fits on two screens', () => {
  const [readme] = readFiles(['README.md']);
  const count = readme?.text.trimEnd().split('\n').length ?? 0;
  ok(count > 60 && count <= 80, `${count} lines`);
});

test('no file names a folder of the machine it was written on', () => {
  deepStrictEqual(
    machinePaths(readFiles(everything).filter(({ path }) => path !== 'infra/house/documents.test.ts')),
    [],
  );
});

test('stale paths, links and scripts are named', () => {
  const text = [
    'Read `server/inquiries/ask.ts`, `inquiries/{ask,gone}.ts`, `web/lost/` and [the guide](guide.md).',
    'Run `npm run unit`, then npm run nothing, `npm test`; see https://example.com/a.ts and `data/beckon.db`.',
  ].join('\n');
  const paths = ['server/inquiries/ask.ts', 'web/inbox/inbox.tsx', 'infra/README.md'];
  deepStrictEqual(staleNames([{ path: 'infra/README.md', text }], paths, ['unit']), [
    'infra/README.md names inquiries/{ask,gone}.ts, which does not exist',
    'infra/README.md names web/lost/, which does not exist',
    'infra/README.md names guide.md, which does not exist',
    'infra/README.md names the script nothing, which does not exist',
    'infra/README.md names the script test, which does not exist',
  ]);
});

test('a folder of somebody’s machine is refused, a folder of a system is not', () => {
  const planted = [
    { path: 'a.md', text: 'cd /home/ada/beckon' },
    { path: 'b.ts', text: `const folder = '/${'root'}/beckon';` },
    { path: 'd.ts', text: `const cwd = '/home/ada/shop';` },
    { path: 'c.md', text: 'WorkingDirectory=/opt/beckon, /var/lib/beckon, https://example.com/home/ada' },
  ];
  deepStrictEqual(machinePaths(planted), [
    `a.md names a folder of somebody's machine`,
    `b.ts names a folder of somebody's machine`,
  ]);
});

test('a command that waits for plain text is not silent as long as a proxy bears it, often a minute', () => {
  const files = readFiles(['*.md', 'infra/**/*.md', 'server/cli/welcome.ts']);
  const parts = files.flatMap(({ text }) => text.split('\n\n'));
  const commands = parts.filter((part) => /Accept: text\/plain["']/.test(part));
  const waits = commands.flatMap((part) => [...part.matchAll(/\?wait=(\d+)/g)].map(([, wait]) => wait));
  deepStrictEqual([waits.length > 2, [...new Set(waits)]], [true, ['50']]);
});
