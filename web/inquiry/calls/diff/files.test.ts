import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { filesOf, hunksOf } from './files.ts';

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`);

test('pieces of one path are one file, in the order in which the paths came', () => {
  const piece = (path: string, oldText: string, newText: string) => ({ path, oldText, newText });
  deepStrictEqual(filesOf([piece('a.ts', 'x', 'y'), piece('b.ts', '', 'new'), piece('a.ts', '', 'z')]), [
    {
      path: 'a.ts',
      isNew: false,
      stretches: [
        { oldText: 'x', newText: 'y' },
        { oldText: '', newText: 'z' },
      ],
    },
    { path: 'b.ts', isNew: true, stretches: [{ oldText: '', newText: 'new' }] },
  ]);
  deepStrictEqual(filesOf(undefined), []);
});

test('changes far apart are hunks of their own, those of further pieces too, and their lines are counted', () => {
  const lines = numbered(30);
  const after = lines.with(4, 'fifth').toSpliced(24, 1, 'one', 'two');
  const file = {
    path: 'a.ts',
    isNew: false,
    stretches: [
      { oldText: lines.join('\n'), newText: after.join('\n') },
      { oldText: 'gone', newText: '' },
    ],
  };
  const { hunks, added, cut } = hunksOf(file);
  deepStrictEqual(
    hunks.map((hunk) => ({ changes: hunk.changes, first: hunk.lines[0]?.kind, lines: hunk.lines.length })),
    [
      { changes: true, first: 'same', lines: 9 },
      { changes: false, first: 'alike', lines: 1 },
      { changes: true, first: 'same', lines: 9 },
      { changes: false, first: 'alike', lines: 1 },
      { changes: true, first: 'cut', lines: 1 },
    ],
  );
  deepStrictEqual({ added, cut }, { added: 3, cut: 3 });
});
