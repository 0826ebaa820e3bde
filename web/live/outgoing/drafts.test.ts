import { deepStrictEqual } from 'node:assert/strict';
import { mock, test } from 'node:test';
import { withoutSecrets } from './secrets.ts';
import { lastWins } from './throttle.ts';

test('words typed quickly leave at most once per interval, the last ones last', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const sent: [string, number][] = [];
  const drafts = lastWins<number>(500, (key, value) => void sent.push([key, value]));
  for (const value of [1, 2, 3]) drafts.give('a', value);
  drafts.give('b', 9);
  mock.timers.tick(500);
  drafts.give('a', 4);
  mock.timers.tick(499);
  deepStrictEqual(sent, [
    ['a', 1],
    ['b', 9],
    ['a', 3],
  ]);
  mock.timers.tick(1);
  drafts.give('a', 5);
  drafts.drop('a');
  mock.timers.tick(5000);
  deepStrictEqual(sent, [
    ['a', 1],
    ['b', 9],
    ['a', 3],
    ['a', 4],
  ]);
  mock.timers.reset();
});

test('what is typed into a secret question is in no draft and in nothing kept', () => {
  const questions = [
    { id: 'pin', type: 'text' as const, prompt: 'PIN?', secret: true },
    { id: 'why', type: 'text' as const, prompt: 'Why?' },
  ];
  deepStrictEqual(withoutSecrets({ questions }, { values: { pin: '1234', why: 'now' }, other: { pin: 'x' } }), {
    values: { why: 'now' },
    other: {},
  });
  deepStrictEqual(withoutSecrets(undefined, { text: 'yes' }), { text: 'yes' });
});
