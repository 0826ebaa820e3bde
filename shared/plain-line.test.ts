import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { plainLine, wordLines } from './plain-line.ts';

test('a line loses the marks of a heading and of bold words, and nothing else', () => {
  deepStrictEqual(
    [
      '## Bill **Anna Berg** ##',
      '__Now__ or ***never***',
      'Run `git log -- **/*.ts` **now**',
      'Which C #?',
      '2 ** 3 ** 4',
      'snake__case_name',
      '#general',
    ].map(plainLine),
    [
      'Bill Anna Berg',
      'Now or never',
      'Run `git log -- **/*.ts` now',
      'Which C #?',
      '2 ** 3 ** 4',
      'snake__case_name',
      '#general',
    ],
  );
});

test('a line of 64 KiB is read in no time: only its first 1,000 letters lose their marks', () => {
  const long = `**a** ${'***a '.repeat(13_000)}**b**`;
  const read = plainLine(long);
  deepStrictEqual([read.startsWith('a '), read.endsWith(long.slice(1000))], [true, true]);
  deepStrictEqual(plainLine(`# a${' '.repeat(64_000)}b`).replace(/ +/, ' '), 'a b');
});

test('the lines of words are those outside of code and tables', () => {
  deepStrictEqual(
    ['```\na\n``\n```\nb', 'a | b\n--|--\nc | d\n\ne', '~~~ts\na', 'a | b\n\n- c', 'Title\n---\nx'].map(wordLines),
    [['b'], ['', 'e'], [], ['a | b', '', '- c'], ['Title', '---', 'x']],
  );
});
