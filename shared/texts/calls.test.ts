import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Decision } from '../answer.ts';
import type { Action } from '../inquiry.ts';
import { answerText } from '../text.ts';

const ALLOWED: Action['allowed'] = ['approve', 'edit', 'reject', 'respond'];
const bash = (command: string): Action => ({ name: 'Bash', args: { command }, allowed: ALLOWED });
const PAY: Action = {
  name: 'pay',
  args: { amount: Number('9007199254740993'), to: 'Ann', token: 'hunter2' },
  allowed: ALLOWED,
};
const PAY_TEXT = '{"amount":9007199254740993,"to":"Ann","token":"hunter2"}';

const said = (actions: Action[], decisions: Decision[], argsText?: string[]): string[] =>
  (['en', 'zh'] as const).map((language) => answerText({ actions, argsText }, { decisions }, language));

test('the text of a decision names the call that was approved, rejected or answered in its place', () => {
  const options = [{ id: 'week', label: 'Approve for a week', type: 'approve' as const }];
  deepStrictEqual(
    [
      said([bash('npm ci')], [{ type: 'approve' }]),
      said([{ ...bash('npm ci'), options }], [{ type: 'approve', optionId: 'week' }]),
      said([bash('npm ci')], [{ type: 'reject' }]),
      said([bash('npm ci')], [{ type: 'reject', message: 'Use pnpm.' }]),
      said([bash('npm ci')], [{ type: 'respond', message: 'It is there.' }]),
      said([{ name: 'vacuum', args: {}, allowed: ALLOWED }], [{ type: 'approve' }]),
      said([bash('echo `date`')], [{ type: 'approve' }]),
    ],
    [
      ['Approved: Run `npm ci`.', '批准：执行 `npm ci`。'],
      ['Approved (Approve for a week): Run `npm ci`.', '批准 (Approve for a week)：执行 `npm ci`。'],
      ['Rejected: Run `npm ci`.', '拒绝：执行 `npm ci`。'],
      ['Rejected: Run `npm ci`. Use pnpm.', '拒绝：执行 `npm ci`。Use pnpm.'],
      [
        'Not run: Run `npm ci`. Answered in its place: It is there.',
        '没有执行：执行 `npm ci`。直接答复： It is there.',
      ],
      ['Approved: `vacuum`, no arguments.', '批准：`vacuum`，无参数。'],
      ['Approved: Run echo `date`.', '批准：执行 echo `date`。'],
    ],
  );
});

test('of an edited call the text holds the new arguments exactly, and those asked for without secrets', () => {
  const argsText = '{"amount":9007199254740995,"to":"Ann","token":"hunter3"}';
  deepStrictEqual(said([PAY], [{ type: 'edit', argsText }], [PAY_TEXT]), [
    `Approved with these arguments instead: ${argsText}\nAsked: pay {"amount":9007199254740993,"to":"Ann","token":••••}`,
    `批准，但改用这些参数： ${argsText}\n原请求： pay {"amount":9007199254740993,"to":"Ann","token":••••}`,
  ]);
});

test('the text of several decisions numbers the calls, every number in them as it was written', () => {
  deepStrictEqual(
    said(
      [bash('npm ci'), PAY, bash(`git clone https://me:hunter2@git.example/${'a/'.repeat(400)}`)],
      [{ type: 'approve' }, { type: 'approve' }, { type: 'reject', message: 'No.' }],
      ['{"command":"npm ci"}', PAY_TEXT, JSON.stringify(bash('git clone https://me:hunter2@git.example/').args)],
    )[0],
    [
      '1. Approved: Run `npm ci`.',
      '2. Approved: `pay` 9007199254740993 to Ann.',
      '3. Rejected: Run `git clone https://me:••••@git.example/`. No.',
    ].join('\n'),
  );
});
