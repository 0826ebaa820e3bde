import { deepStrictEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { breakable, pieces, visible } from './theirs.ts';

test('characters that would turn text around or hide in it are shown by name', () => {
  deepStrictEqual(pieces('pay \u202Emoc.knab\u202C now'), [
    'pay ',
    { hidden: 'U+202E' },
    'moc.knab',
    { hidden: 'U+202C' },
    ' now',
  ]);
  equal(visible('a\u2066b\u0007c\u{E0041}d'), 'a[U+2066]b[U+0007]c[U+E0041]d');
});

test('what people write is left alone: line breaks, tabs, emoji, right-to-left letters', () => {
  const text = 'one\ntwo\tשלום 👩‍👧 ok';
  deepStrictEqual(pieces(text), [text]);
});

test('a Chinese text breaks between its words and keeps every character', () => {
  const text = '2.4 版现在就发布到生产，还是等到周一？';
  const words = breakable(text);
  equal(words.join(''), text);
  equal(words.length > 5 && words.every((word) => !/^\p{P}/u.test(word)), true);
  deepStrictEqual(breakable('no break here'), ['no break here']);
});
