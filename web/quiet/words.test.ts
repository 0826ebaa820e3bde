import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { language } from '../ui/language.ts';
import { quietWords } from './words.ts';

test('the fields of the first span of quiet hours have plain names, those of later ones a number', () => {
  const named = (['zh', 'en'] as const).map((spoken) => {
    language.value = spoken;
    const { nth, from } = quietWords();
    return [nth(from, 0), nth(from, 1)];
  });
  deepStrictEqual(named, [
    ['从', '从，2'],
    ['From', 'From, 2'],
  ]);
});
