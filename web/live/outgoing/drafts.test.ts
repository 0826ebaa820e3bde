import { deepStrictEqual } from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { withoutSecrets } from './secrets.ts';
import { lastWins } from './throttle.ts';

test('words typed quickly leave at most once per interval, the last ones last', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const sent: [string, number][] = [];
  const drafts = lastWins<number>(500, async (key, value) => void sent.push([key, value]));
  for (const value of [1, 2, 3]) drafts.give('a', value);
  drafts.give('b', 9);
  await pass(500);
  drafts.give('a', 4);
  await pass(499);
  deepStrictEqual(sent, [
    ['a', 1],
    ['b', 9],
    ['a', 3],
  ]);
  await pass(1);
  drafts.give('a', 5);
  drafts.drop('a');
  await pass(5000);
  deepStrictEqual(sent, [
    ['a', 1],
    ['b', 9],
    ['a', 3],
    ['a', 4],
  ]);
  mock.timers.reset();
});

test('the interval begins when the words before were heard, and what was not heard is told again', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const sent: number[] = [];
  const replies: ((heard: boolean) => void)[] = [];
  const drafts = lastWins<number>(500, (_key, value) => {
    sent.push(value);
    return new Promise<boolean>((resolve) => replies.push(resolve));
  });
  drafts.give('a', 1);
  drafts.give('a', 2);
  await pass(5000);
  deepStrictEqual(sent, [1]);
  replies[0]?.(true);
  await pass(499);
  deepStrictEqual(sent, [1]);
  await pass(1);
  deepStrictEqual(sent, [1, 2]);
  replies[1]?.(false);
  await pass(500);
  deepStrictEqual(sent, [1, 2, 2]);
  drafts.give('a', 3);
  replies[2]?.(false);
  await pass(500);
  deepStrictEqual(sent, [1, 2, 2, 3]);
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

// What was begun before goes on first.
async function pass(ms: number): Promise<void> {
  await setImmediate();
  mock.timers.tick(ms);
  await setImmediate();
}
