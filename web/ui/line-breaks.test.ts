import { deepStrictEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { breakable } from './line-breaks.ts';

test('a Chinese text breaks between its words and keeps every character', () => {
  const text = '2.4 版现在就发布到生产，还是等到周一？';
  const words = breakable(text);
  equal(words.join(''), text);
  equal(words.length > 5 && words.every((word) => !/^\p{P}/u.test(word)), true);
  deepStrictEqual(breakable('no break here'), ['no break here']);
});
