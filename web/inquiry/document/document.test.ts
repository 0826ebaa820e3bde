import { deepStrictEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { history, undo } from '@codemirror/commands';
import type { EditorState } from '@codemirror/state';
import fc from 'fast-check';
import { lineEndOf, withLf, withLineEnds } from './line-ends.ts';
import { ownSpans } from './own-spans.ts';
import { marks, createState, readText } from './text.ts';
import { CORPUS } from './testing/corpus.ts';

const RUNS = { seed: 20_261_122, numRuns: 500, endOnFailure: true };
const piece = fc.oneof(
  fc.constantFrom(...Object.values(CORPUS)),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('\n', '\r\n', '\r', '  ', '# ', '- ', '| a |', '> ', '?', '？\n\n'),
);
const documents = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
const insert = (state: EditorState, from: number, words: string) =>
  state.update({ changes: { from, insert: state.toText(words) } }).state;
const gapsIn = (text: string) => createState(text, text).field(marks).gaps;

for (const [name, markdown] of Object.entries(CORPUS)) {
  test(`a document comes back byte for byte where nobody wrote: ${name}`, () => {
    const state = createState(markdown, markdown);
    equal(readText(state), markdown);
    deepStrictEqual(state.field(marks).own, []);
    let answered = state;
    for (const gap of state.field(marks).gaps.toReversed()) answered = insert(answered, gap.at, `${gap.lead}Answer`);
    const taken = readText(answered).replace(/[ \r\n]*Answer/g, '');
    equal(taken, markdown.replace(/[ \r\n]*Answer/g, ''));
  });
}

test('whatever stands in a document, one change changes that place and nothing else', () => {
  fc.assert(
    fc.property(documents, fc.nat(), fc.nat(12), fc.string(), (markdown, place, length, words) => {
      const state = createState(markdown, markdown, history());
      equal(readText(state), markdown);
      const from = state.doc.length === 0 ? 0 : place % state.doc.length;
      const to = Math.min(state.doc.length, from + length);
      const changed = state.update({ changes: { from, to, insert: state.toText(words) } });
      const end = lineEndOf(markdown);
      const asSent = (a: number, b: number) => state.sliceDoc(a, b);
      equal(readText(changed.state), asSent(0, from) + words.split(end).join(end) + asSent(to, state.doc.length));
      let back = changed.state;
      undo({ state: back, dispatch: (transaction) => (back = transaction.state) });
      equal(readText(back), markdown);
    }),
    RUNS,
  );
});

test('what a person wrote is theirs, wherever it stands, and nothing else is', () => {
  const original = 'One two three\n\nWhy?\n\nLast line here\n';
  const said = (text: string) => ownSpans(original, text).map(({ from, to }) => text.slice(from, to));
  deepStrictEqual(
    [
      said(original),
      said(original.replace('Why?\n', 'Why?\n\nBecause.\nAnd so.\n')),
      said(original.replace('two', 'five')),
      said(original.replace('three', 'three four')),
      said(original.replace('Last', 'The very last')),
      said('Something else altogether\n'),
      said(''),
    ],
    [[], ['Because.', 'And so.'], ['five'], [' four'], ['The very last'], ['Something else altogether'], []],
  );
  fc.assert(
    fc.property(documents, documents, (before, after) => {
      let end = 0;
      for (const { from, to } of ownSpans(withLf(before), withLf(after))) {
        if (from < end || to <= from || to > after.length) throw new Error(`${from} to ${to} after ${end}`);
        end = to;
      }
      deepStrictEqual(ownSpans(before, before), []);
    }),
    RUNS,
  );
});

test('a question waits for words under it, and an answer that has none for words behind it', () => {
  const text =
    'Why?\n\n## Where?\n\nSaid here.\n\n## When?\n\n1. Who?\n   > How?\n2. What?\n\n```\nno?\n```\n\n| a? |\n|---|\n\nWhich?\n\nAnswer:\n\n**你的回答：**\n';
  deepStrictEqual(
    gapsIn(text).map(({ at, lead }) => [text.slice(text.lastIndexOf('\n', at - 1) + 1, at), lead]),
    [
      ['Why?', '\n\n'],
      ['1. Who?', '\n\n   '],
      ['   > How?', '\n\n'],
      ['2. What?', '\n\n   '],
      ['Answer:', ' '],
      ['**你的回答：**', ' '],
    ],
  );
  const open = createState('Why?\n\nWhere?\n', 'Why?\n\nWhere?\n');
  const filled = insert(open, 4, '\n\nBecause.');
  deepStrictEqual(
    [open, filled].map((state) => state.field(marks).gaps.map((gap) => gap.filled)),
    [
      [false, false],
      [true, false],
    ],
  );
});

test('underscores are a blank that words take the place of, alone in a line or in one; code and names are not', () => {
  const text = CORPUS['blanks'] ?? '';
  const gaps = gapsIn(text);
  deepStrictEqual(
    gaps.map(({ from, at }) => text.slice(from, at)),
    ['____', '____', '___', '_____', '___'],
  );
  const [, , alone, under] = gaps;
  const write = (state: EditorState, gap = gaps[0]) =>
    state.update({ changes: { from: gap?.from ?? 0, to: gap?.at ?? 0, insert: 'Mara' } }).state;
  const last = write(createState(text, text), under);
  const both = write(last, alone);
  deepStrictEqual(
    [last, both].map((state) => state.field(marks).gaps.filter(({ filled }) => filled).length),
    [1, 2],
  );
  deepStrictEqual(
    [last, both].map((state) => state.field(marks).gaps.length),
    [5, 5],
  );
  equal(readText(both), text.replace('\n___\n', '\nMara\n').replace('_____', 'Mara'));
});

test('a text area, which knows LF alone, gives back the line ends of the document', () => {
  const mixed = 'a\r\nb\nc\r\nd\n';
  deepStrictEqual(
    [withLineEnds(mixed, withLf(mixed)), withLineEnds(mixed, 'a\nb\nnew\nc\nd\n'), withLineEnds('a\r\nb', 'a\nx\nb')],
    [mixed, 'a\r\nb\nnew\nc\r\nd\n', 'a\r\nx\r\nb'],
  );
  fc.assert(
    fc.property(documents, (markdown) => equal(withLineEnds(markdown, withLf(markdown)), markdown)),
    RUNS,
  );
});
