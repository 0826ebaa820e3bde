import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { plainLine } from './plain-line.ts';

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
