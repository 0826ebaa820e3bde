import { deepStrictEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { budgets } from './budgets.ts';
import { callsOf } from './calls.ts';
import { filesOfFlow, FLOWS } from './flows.ts';
import { readFiles, root } from './tree.ts';

const readSource = (path: string): string => readFileSync(join(root, path), 'utf8');

test('nothing that the house measures has grown', () => {
  const files = readFiles(['{shared,server,web}/**/*.{ts,tsx,mjs,css}', '*.md', 'infra/README.md']);
  const over = budgets(files).filter(({ measured, most }) => !(measured <= most));
  deepStrictEqual(over, []);
});

for (const [name, flow] of Object.entries(FLOWS)) {
  test(`the files of ${name} are those that its functions call, in that order`, () => {
    deepStrictEqual(filesOfFlow(readSource, flow), flow.files);
  });
}

test('a function calls what it and the functions of its file call by name, hand over or draw', () => {
  const sources: Record<string, string> = {
    'web/a.tsx': `
      import { b, type B } from './b.ts';
      import { c } from '#shared/c.ts';
      import { D } from '../d/D.tsx';
      import { never } from './never.ts';
      export function* a(given: B) { yield* b(given); return inner(); }
      const inner = () => [1].map(c).concat(<D />);
      function other() { never(); }`,
  };
  deepStrictEqual(
    [...callsOf((path) => sources[path] ?? '', 'web/a.tsx#a')],
    ['web/b.ts#b', 'shared/c.ts#c', 'd/D.tsx#D'],
  );
});
