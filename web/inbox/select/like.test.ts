import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Action, Inquiry } from '#shared/inquiry.ts';
import type { Rule } from '#shared/policies/rule.ts';
import type { InquiryEntry } from '../../live/entry.ts';
import { decisionKey, excluding, largestClass, likeness, QUESTION } from './like.ts';
import { ofRun } from './ofRun.ts';

const BASH: Action = { name: 'Bash', args: {}, allowed: ['approve', 'reject'] };

test('like are calls of the same run, tool and possible decisions', () => {
  const first = entry('1', [BASH]);
  const others = [
    entry('2', [{ ...BASH, args: { command: 'ls' }, allowed: ['reject', 'approve'] }]),
    entry('3', [{ ...BASH, allowed: ['approve'] }]),
    entry('4', [{ ...BASH, name: 'Write' }]),
    entry('5', [BASH], 'run 2'),
  ];
  deepStrictEqual(
    largestClass([first, ...others]).map(({ inquiry }) => inquiry.id),
    ['1', '2'],
  );
});

test('questions are one class of any source; caution, several calls and changed files are never decided together', () => {
  deepStrictEqual(
    [
      entry('1', []),
      entry('2', [{ ...BASH, caution: true }]),
      entry('3', [BASH, BASH]),
      entry('4', [{ ...BASH, diff: [{ path: 'a', oldText: '', newText: 'b' }] }]),
    ].map(likeness),
    [{ key: QUESTION }, { apart: 'caution' }, { apart: 'several' }, { apart: 'files' }],
  );
});

test('a call of a tool that a rule asks about is decided by itself', () => {
  const rule = (when: Rule['when']): Rule => ({ name: 'Ask', when, then: 'ask' });
  const likeBash = (rules: Rule[]) => {
    excluding.value = rules;
    return 'key' in likeness(entry('1', [BASH]));
  };
  deepStrictEqual(
    [
      likeBash([]),
      likeBash([rule({ tool: 'Write' })]),
      likeBash([rule({ tool: 'Bash', source: 'src_2' })]),
      likeBash([rule({ tool: ['Write', 'Ba*'] })]),
      likeBash([rule({ tool: 'Bash', source: ['src_1', 'src_2'] })]),
    ],
    [true, true, true, false, false],
  );
  excluding.value = undefined;
});

test('of a run all calls that one can decide together are in its list, those that destroy first, and it says how many are not and why', () => {
  const now = Date.parse('2026-03-01T12:00:00.000Z');
  const draft = { handle: 'jonas', device: { id: 'd', name: 'iPad' }, at: new Date(now).toISOString() };
  const { inquiries, apart } = ofRun(
    [
      entry('1', [BASH]),
      entry('2', [{ ...BASH, args: { command: 'rm -rf build' } }]),
      entry('3', [{ ...BASH, caution: true }]),
      { ...entry('4', [BASH]), draft } as InquiryEntry,
      entry('5', [{ ...BASH, allowed: ['reject'] }]),
      entry('6', [BASH, BASH]),
      { inquiry: { id: '7', source: { id: 'src_1', name: 'Atlas' } } as Inquiry },
    ],
    'approve',
    now,
  );
  deepStrictEqual(
    { inquiries: inquiries.map(({ id }) => id), apart: Object.fromEntries(apart) },
    { inquiries: ['2', '1'], apart: { caution: 1, answering: 1, refuses: 1, several: 1 } },
  );
});

test('of the own choices of a sender that one is taken that is for this call alone', () => {
  const options: Action['options'] = [
    { id: 'always', label: 'Always', type: 'approve', remember: 'always' },
    { id: 'once', label: 'Once', type: 'approve' },
  ];
  deepStrictEqual(
    [
      decisionKey(BASH, 'approve'),
      decisionKey({ ...BASH, options }, 'approve'),
      decisionKey({ ...BASH, options }, 'reject'),
      decisionKey({ ...BASH, allowed: ['approve'] }, 'reject'),
    ],
    [{ type: 'approve' }, { type: 'approve', optionId: 'once' }, undefined, undefined],
  );
});

function entry(id: string, actions: Action[], runId = 'run 1'): InquiryEntry {
  const inquiry: Partial<Inquiry> = { id, actions, context: { runId }, source: { id: 'src_1', name: 'Atlas' } };
  return { inquiry: inquiry as Inquiry };
}
