import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { language } from '../ui/language.ts';
import { goingOn, inboxWords } from './words.ts';

const now = new Date(2026, 10, 21, 14, 5).getTime();
const today = new Date(2026, 10, 21, 18, 0).getTime();
const tomorrow = new Date(2026, 10, 22, 9, 0).getTime();

test('a sentence that has begun goes on without a capital', () => {
  language.value = 'en';
  const words = inboxWords();
  deepStrictEqual([words.by(tomorrow, now), words.up, words.youAnswering, words.left(42_000)].map(goingOn), [
    'due tomorrow 09:00',
    'time is up',
    'you are answering',
    '42 s left',
  ]);
});

test('in Chinese a space stands before a figure, and none between two words', () => {
  language.value = 'zh';
  const words = inboxWords();
  deepStrictEqual(
    [today, tomorrow].map((at) => [words.first(at, now, 2), words.first(at, now, 1), words.by(at, now)]),
    [
      ['最近 18:00 到期。', '18:00 到期。', '18:00 到期'],
      ['最近明天 09:00 到期。', '明天 09:00 到期。', '明天 09:00 到期'],
    ],
  );
  language.value = 'en';
});
