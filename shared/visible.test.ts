import { deepStrictEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { pieces, seen, visible } from './visible.ts';

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

test('characters that cannot be seen are shown by name, whether they are as wide as nothing or as a space', () => {
  const blank = [
    '00AD',
    '115F',
    '1160',
    '180E',
    '200B',
    '200C',
    '200D',
    '2060',
    '2064',
    '2800',
    '3164',
    'FEFF',
    'FFA0',
  ];
  for (const code of blank) {
    const text = `rm${String.fromCodePoint(Number.parseInt(code, 16))}x`;
    equal(visible(text), `rm[U+${code}]x`);
    equal(visible(text, true), `rm[U+${code}]x`);
  }
});

test('joiners stay where prose needs them, and nowhere in names, code and arguments', () => {
  const needed = ['👩‍👧', '👍🏽‍👍', '❤️‍🔥', 'می\u200Cخواهم', 'क्\u200Dष'];
  for (const text of needed) {
    deepStrictEqual(pieces(`${text} ok`), [`${text} ok`]);
    equal(pieces(text, true).length > 2, true);
  }
  const idle = [
    'ad\u200Cmin',
    'ad\u200Dmin',
    'а\u200Cб',
    '中\u200D文',
    'x\u200D👧',
    '👩\u200Dx',
    'می\u200C',
    '\u200D👧',
  ];
  for (const text of idle) equal(visible(text).includes('[U+200'), true, text);
});

test('what people write is left alone: line breaks, tabs, emoji, right-to-left letters', () => {
  const text = 'one\ntwo\tשלום 👩‍👧 ok';
  deepStrictEqual(pieces(text), [text]);
});

test('what is drawn too small for names is left without what cannot be seen', () => {
  equal(seen('\u202ECI \u200Bbot 👩\u200D👧 می\u200Cخواهم'), 'CI bot 👩\u200D👧 می\u200Cخواهم');
});
