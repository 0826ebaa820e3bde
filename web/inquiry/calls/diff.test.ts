import { deepStrictEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { changedPart, counterparts, cutHunks, cutLines, diffLines, toFiles, toHunks } from './diff.ts';

const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}`);

test('a patch shows what is cut and added with three lines around, and says how many it folds', () => {
  const before = [...lines(1, 8), 'old', ...lines(9, 20)].join('\n');
  const after = [...lines(1, 8), 'new', 'more', ...lines(9, 20)].join('\n');
  deepStrictEqual(diffLines(before, after), [
    { kind: 'alike', lines: lines(1, 5) },
    ...lines(6, 8).map((text) => ({ kind: 'same', text })),
    { kind: 'cut', text: 'old' },
    { kind: 'add', text: 'new' },
    { kind: 'add', text: 'more' },
    ...lines(9, 11).map((text) => ({ kind: 'same', text })),
    { kind: 'alike', lines: lines(12, 20) },
  ]);
});

test('both texts can be told from the marks, whatever changed', () => {
  const pairs = [
    ['', 'a\nb'],
    ['a\nb', ''],
    ['a\nb\nc\nd', 'b\nx\nd\ny'],
    ['same', 'same'],
    ['a\n\nb', 'a\nb\n'],
  ] as const;
  for (const [before, after] of pairs) {
    const marks = diffLines(before, after).flatMap((line) =>
      line.kind === 'alike' ? line.lines.map((text) => ({ kind: 'same', text })) : [line],
    );
    const side = (kind: string) =>
      marks.filter((mark) => mark.kind === 'same' || mark.kind === kind).map(({ text }) => text);
    equal(side('cut').join('\n'), before);
    equal(side('add').join('\n'), after);
  }
});

test('two huge texts are all cut and all added instead of freezing the page', () => {
  const side = (from: number) =>
    [...lines(from, from + 1500), 'the same', ...lines(from + 1501, from + 3000)].join('\n');
  const marks = diffLines(side(1), side(5001));
  deepStrictEqual([marks.length, marks[0]?.kind, marks.some(({ kind }) => kind === 'same')], [6004, 'cut', false]);
});

test('the words that changed are marked in both lines, whole, and none where nothing stayed', () => {
  const before = 'const a = 60 * 60;';
  const after = 'const a = 20 * 60;';
  deepStrictEqual(changedPart(before, after), { head: 'const a = ', changed: '20', tail: ' * 60;' });
  deepStrictEqual(changedPart(after, before), { head: 'const a = ', changed: '60', tail: ' * 60;' });
  deepStrictEqual(changedPart('  return;', '  throw;'), undefined);
});

test('a changed line has its counterpart at the same place of the other run', () => {
  const marks = diffLines('a1\nb1\nc1\nsame\nold', 'a2\nb2\nsame\nnew\nmore');
  deepStrictEqual(
    marks.map((mark, at) => [mark.kind === 'alike' ? '' : mark.text, counterparts(marks)[at]]),
    [
      ['a1', 'a2'],
      ['b1', 'b2'],
      ['c1', undefined],
      ['a2', 'a1'],
      ['b2', 'b1'],
      ['same', undefined],
      ['old', 'new'],
      ['new', 'old'],
      ['more', undefined],
    ],
  );
});

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`);

test('pieces of one path are one file, in the order in which the paths came', () => {
  const piece = (path: string, oldText: string, newText: string) => ({ path, oldText, newText });
  deepStrictEqual(toFiles([piece('a.ts', 'x', 'y'), piece('b.ts', '', 'new'), piece('a.ts', '', 'z')]), [
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
  deepStrictEqual(toFiles(undefined), []);
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
  const { hunks, added, cut } = toHunks(file);
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

test('past so many lines a diff is text with its marks, and none of them is left out', () => {
  const after = Array.from({ length: 6 }, (_, at) => `new ${at}`).join('\n');
  const { hunks } = toHunks({ path: 'a', isNew: false, stretches: [{ oldText: 'old', newText: after }] });
  const [drawn, rest] = cutHunks(hunks, 3);
  deepStrictEqual(
    [drawn.flatMap(({ lines }) => lines.map((line) => (line.kind === 'alike' ? '' : line.text))), rest],
    [['old', 'new 0', 'new 1'], '+ new 2\n+ new 3\n+ new 4\n+ new 5'],
  );
  deepStrictEqual(cutHunks(hunks, 100), [hunks, '']);
  deepStrictEqual(
    [cutLines('a\nb\nc', 2), cutLines('a\nb', 2)],
    [
      ['a\nb', 'c'],
      ['a\nb', ''],
    ],
  );
});
