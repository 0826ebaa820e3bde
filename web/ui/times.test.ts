import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { clockTime, countWord, dayName, dayTime, exactTime, lasting, moment } from './times.ts';

const now = new Date(2026, 10, 21, 14, 5).getTime();
const minutes = (count: number) => count * 60_000;

test('a length of time is said as one would say it', () => {
  const lengths = [0, 900, 42_000, minutes(1), minutes(25.9), minutes(60), minutes(110), minutes(130), minutes(235)];
  deepStrictEqual(
    lengths.map((ms) => lasting(ms, 'en')),
    [
      '0 seconds',
      '1 second',
      '42 seconds',
      '1 minute',
      '25 minutes',
      'an hour',
      'almost two hours',
      'about two hours',
      'almost four hours',
    ],
  );
  deepStrictEqual(
    [42_000, minutes(25), minutes(60), minutes(225), minutes(60 * 47)].map((ms) => lasting(ms, 'zh')),
    ['42 秒', '25 分钟', '一小时', '近四个小时', '两天'],
  );
});

test('a day near by is called by its name, in both languages', () => {
  const days = [0, 1, -1, 2, 9, -3].map((day) => new Date(2026, 10, 21 + day, 9).getTime());
  deepStrictEqual(
    days.map((day) => dayName(day, now, 'en')),
    ['today', 'tomorrow', 'yesterday', 'Monday', '30 November', '18 November'],
  );
  deepStrictEqual(
    days.slice(0, 4).map((day) => dayName(day, now, 'zh')),
    ['今天', '明天', '昨天', '星期一'],
  );
});

test('a moment is a clock time today and names its day otherwise', () => {
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour, 17).getTime();
  deepStrictEqual([moment(at(21, 14), now, 'en'), moment(at(22, 9), now, 'en')], ['14:17', 'tomorrow 09:17']);
  deepStrictEqual([dayTime(at(21, 14), now, 'en'), dayTime(at(22, 9), now, 'zh')], ['today at 14:17', '明天 09:17']);
  deepStrictEqual([moment(at(21, 0), now, 'zh'), moment(at(22, 9), now, 'zh')], ['00:17', '明天 09:17']);
});

test('a clock time has two digits each, with the seconds where they decide', () => {
  const times = [new Date(2026, 10, 21, 0, 5, 9), new Date(2026, 10, 21, 14, 17, 42)].map((at) => at.getTime());
  deepStrictEqual(times.map(clockTime), ['00:05', '14:17']);
  deepStrictEqual(times.map(exactTime), ['00:05:09', '14:17:42']);
});

test('counts are words up to twelve and figures from there', () => {
  deepStrictEqual(
    [0, 2, 12, 13, 1200].map((count) => countWord(count, 'en')),
    ['none', 'two', 'twelve', '13', '1,200'],
  );
});
