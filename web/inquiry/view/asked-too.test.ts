import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { sayAskedToo } from './asked-too.ts';

test('[APR5] who was asked too, and when, is one sentence for each time, in either language', () => {
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour, 10);
  const escalated = [
    { at: at(26, 9).toISOString(), to: ['ops'], people: ['anna', 'jonas', 'mara'] },
    { at: at(27, 14).toISOString(), to: ['lena'], people: ['lena'] },
  ];
  const now = at(27, 15).getTime();
  const read = (own: string | undefined, language: 'en' | 'zh') => sayAskedToo({ escalated }, { own, now, language });
  deepStrictEqual(
    [
      read('owner', 'en'),
      read('jonas', 'en'),
      read('lena', 'en').at(-1),
      read('owner', 'zh'),
      read('lena', 'zh').at(-1),
    ],
    [
      ['anna, jonas and mara were asked too yesterday at 09:10', 'lena was asked too at 14:10'],
      ['You, anna and mara were asked too yesterday at 09:10', 'lena was asked too at 14:10'],
      'You were asked too at 14:10',
      ['昨天 09:10 也问了 anna、jonas、mara', '14:10 也问了 lena'],
      '14:10 也问了你',
    ],
  );
  deepStrictEqual(sayAskedToo({}, { own: 'owner', now, language: 'en' }), []);
});
