import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { fitting } from './pattern.ts';

test('a star stands for any text, and for nothing', () => {
  const cases = [
    ['*', 'anything'],
    ['*', ''],
    ['read', 'read'],
    ['read', 'read_file'],
    ['read_*', 'read_'],
    ['*_file', 'read_file'],
    ['a*a', 'a'],
    ['a*b*c', 'a-b-b-c'],
    ['a*b*c', 'a-c-b'],
    ['*a*', 'bab'],
    ['a.c', 'abc'],
    [`${'a*'.repeat(20)}b`, 'a'.repeat(200)],
  ] as const;
  deepStrictEqual(
    cases.map(([pattern, name]) => fitting(pattern)(name)),
    [true, true, true, false, true, true, false, true, false, true, false, false],
  );
});
