import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { language } from '../ui/language.ts';
import { manyWords } from './many/words.ts';
import { goingOn, inboxWords } from './words.ts';

const now = new Date(2026, 10, 21, 14, 5).getTime();
const today = new Date(2026, 10, 21, 18, 0).getTime();
const tomorrow = new Date(2026, 10, 22, 9, 0).getTime();

test('a sentence that has begun goes on without a capital', () => {
  language.value = 'en';
  const words = inboxWords();
  deepStrictEqual([words.by(tomorrow, now), words.up, words.youAnswering, words.left(42_000)].map(goingOn), [
    'by tomorrow, 09:00',
    'time is up',
    'you are answering',
    '42 seconds left',
  ]);
});

test('in Chinese a space stands before a figure, and none between two words', () => {
  language.value = 'zh';
  const words = inboxWords();
  deepStrictEqual(
    [today, tomorrow].map((at) => [
      manyWords().first(at, now),
      words.first(at, now, 2),
      words.first(at, now, 1),
      words.written(at, now),
    ]),
    [
      ['最近 18:00 到期。', '最近18:00 到期。', '18:00 到期。', '写于18:00'],
      ['最近明天 09:00 到期。', '最近明天 09:00 到期。', '明天 09:00 到期。', '写于明天 09:00'],
    ],
  );
  deepStrictEqual([...words.empty, words.stop].join(''), '没有待处理的事。');
  language.value = 'en';
});
