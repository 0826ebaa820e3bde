import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Action, Ask } from '#shared/inquiry.ts';
import type { Rule, Then } from '#shared/policies/rule.ts';
import { writeOutcome } from '#shared/texts/outcomes.ts';
import { prepare } from './rules.ts';
import { ruledBy } from './by-rule.ts';

const action = (more: object = {}): Action => ({ name: 'Bash', args: {}, allowed: ['approve', 'reject'], ...more });
const option = (id: string, type: 'approve' | 'reject', more: object = {}) => ({ id, label: id, type, ...more });
const options = [
  option('always', 'approve', { remember: 'Bash(*)' }),
  option('once', 'approve'),
  option('stop', 'reject', { stop: true }),
  option('no', 'reject'),
];
const choice = (id: string) => ({
  id,
  type: 'choice' as const,
  prompt: `${id}?`,
  options: ['a', 'b', 'c'].map((value) => ({ value, label: value.toUpperCase() })),
});
const TEXT: Ask = { prompt: 'Ship?', suggested: { text: 'Yes' } };
const CHOICE: Ask = { questions: [choice('q')], suggested: { values: { q: 'b' } } };
const FORM: Ask = {
  questions: [{ id: 'f', type: 'form', prompt: 'F?', schema: {} }, choice('q')],
  suggested: { values: { q: 'b' } },
};
const LINK: Ask = { link: { url: 'https://sign.in/', completes: 'self' }, suggested: { text: 'Done' } };
const CALL: Ask = { actions: [action()], suggested: { decisions: [{ type: 'approve' }] } };
const OWN: Ask = { actions: [action({ options })] };
const STICKY: Ask = { actions: [action({ options: options.slice(0, 1) })] };
const EDIT: Ask = { actions: [action({ allowed: ['edit', 'respond'] })] };
const LATE: Ask = { ...TEXT, onExpire: 'suggested' };

const made = (then: Then, ask: Ask) => {
  const rule = { name: 'r', when: {}, then } as Rule;
  const ruled = ruledBy(prepare([rule], 'UTC').rules[0]!, ask, { chance: (below) => below - 1 });
  if (ruled?.does !== 'settle') return ruled?.does;
  const { outcome, how } = ruled;
  const { text } = writeOutcome({
    asked: { ...ask, title: '' },
    resolution: outcome,
    how,
    language: 'en',
    deadlineAt: '',
  });
  return [outcome.outcome, outcome.answer ?? outcome.message, text];
};

const BY = 'Decided by the rule “r”; nobody was asked.';
const DECLINED = `${BY}
There is no answer. Do not ask the same again, and do not make one up: go on without it, or stop and say what is missing.`;
const NOBODY = 'Nobody answered in time.';
const approve = (optionId?: string) => ({ decisions: [{ type: 'approve', ...(optionId ? { optionId } : {}) }] });
const NAMED = '`Bash`, no arguments.';
const reject = (optionId?: string) => ({
  decisions: [{ type: 'reject', message: 'No.', ...(optionId ? { optionId } : {}) }],
});

/** What a rule says, what is asked, and what becomes of it; undefined: people decide. */
const CASES: [then: Then, ask: Ask, expected: unknown][] = [
  ['approve', CALL, ['answered', approve(), `Approved: ${NAMED}\n${BY}`]],
  ['approve', OWN, ['answered', approve('once'), `Approved (once): ${NAMED}\n${BY}`]],
  ['approve', STICKY, undefined],
  ['approve', EDIT, undefined],
  ['approve', TEXT, undefined],
  ['approve', LINK, undefined],
  ['approve', { actions: [action(), action({ caution: true })] }, undefined],
  [{ reject: 'No.' }, CALL, ['answered', reject(), `Rejected: ${NAMED} No.\n${BY}`]],
  [{ reject: 'No.' }, OWN, ['answered', reject('no'), `Rejected (no): ${NAMED} No.\n${BY}`]],
  [{ reject: 'No.' }, STICKY, ['declined', 'No.', `${DECLINED}\nReason: No.`]],
  [{ reject: 'No.' }, EDIT, ['declined', 'No.', `${DECLINED}\nReason: No.`]],
  [{ reject: 'No.' }, TEXT, ['declined', 'No.', `${DECLINED}\nReason: No.`]],
  [{ answer: 'Yes' }, TEXT, ['answered', { text: 'Yes' }, `Yes\n${BY}`]],
  [{ answer: 'B' }, CHOICE, ['answered', { values: { q: 'b' } }, `B\n${BY}`]],
  [{ answer: 'D' }, CHOICE, undefined],
  [{ answer: 'Yes' }, FORM, undefined],
  [{ answer: 'Yes' }, LINK, undefined],
  [{ answer: 'approve' }, CALL, undefined],
  ['suggested', TEXT, ['answered', { text: 'Yes' }, `Yes\n${BY}`]],
  ['suggested', CHOICE, ['answered', { values: { q: 'b' } }, `B\n${BY}`]],
  ['suggested', { prompt: 'Ship?' }, undefined],
  ['suggested', FORM, undefined],
  ['suggested', LINK, undefined],
  ['suggested', CALL, undefined],
  [
    'you-decide',
    TEXT,
    [
      'declined',
      undefined,
      'Decide this yourself: a rule hands it back to you, and nobody was asked. That approves nothing.',
    ],
  ],
  [
    'unanswered',
    TEXT,
    ['expired', undefined, `${NOBODY} Nobody decided: this is neither a yes nor a no. Do not ask the same again now.`],
  ],
  [
    'unanswered',
    LATE,
    ['expired', { text: 'Yes' }, `${NOBODY} What follows was the asker’s own proposal, not a person’s decision:\nYes`],
  ],
  ['random', CHOICE, ['answered', { values: { q: 'c' } }, 'C\nA rule chose this at random; nobody decided.']],
  ['random', FORM, undefined],
  ['random', TEXT, undefined],
  ['random', CALL, undefined],
  ['ask', CALL, 'ask'],
  ['ask-quietly', CALL, 'ask'],
  [{ ask: ['ops'] }, CALL, 'ask'],
];

test('[POL4] a rule makes of what is asked what fits it, and leaves everything else to people', () => {
  deepStrictEqual(
    CASES.map(([then, ask]) => [then, made(then, ask)]),
    CASES.map(([then, , expected]) => [then, expected]),
  );
});

test('[POL4] no rule answers what holds a secret', () => {
  const secret: Ask = { questions: [choice('q'), { id: 's', type: 'text', prompt: 'Key?', secret: true }] };
  const thens: Then[] = [
    'approve',
    { reject: 'No.' },
    { answer: 'a' },
    'suggested',
    'you-decide',
    'unanswered',
    'random',
  ];
  deepStrictEqual(
    thens.filter((then) => made(then, secret) !== undefined),
    [],
  );
});
