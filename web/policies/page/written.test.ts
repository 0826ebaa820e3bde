import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { parseExact } from '#shared/json.ts';
import { Rule, type Then } from '#shared/policies/rule.ts';
import { ruleOfWritten, toWritten } from './written.ts';

const SRC = 'src_00000000000000000000000001';
const WHEN = {
  source: [SRC],
  agent: 'Claude*',
  dialect: 'claude-hook',
  gate: 'files',
  tool: ['Bash', 'git_*'],
  args: { '/path': { under: '/home/me' }, '': { equals: { n: [1, null] } } },
  shell: ['git status', 'ls *'],
  annotation: 'read-only',
  group: '*',
  run: ['482'],
  kind: ['actions'],
  question: { prompt: 'Ship it?', options: [{ value: 'y', label: 'Yes', description: 'To everybody.' }] },
  asked: { min: 0, max: 3 },
  time: { from: '22:00', to: '07:00' },
  days: ['sat', 'sun'],
};
const THENS: Then[] = [
  'approve',
  'suggested',
  'you-decide',
  'unanswered',
  'ask',
  'ask-quietly',
  { reject: 'No,\nnot now.' },
  { answer: 'Yes' },
  { ask: ['mara', 'ops'] },
  { decider: 'dcd_00000000000000000000000000' },
];

test('a rule that is opened in the form and saved unchanged is the same rule', () => {
  const rules = [
    ...THENS.map((then) => Rule.parse({ name: 'r', when: WHEN, then, until: '2027-01-01T00:00:07.123Z' })),
    Rule.parse({ name: 'r', when: { source: SRC, kind: 'text', tool: 'x', run: 'a' }, then: 'ask' }),
    Rule.parse({ name: 'r', when: {}, then: 'ask' }),
  ];
  deepStrictEqual(
    rules.map((rule) => ruleOfWritten(toWritten(rule), rule)),
    rules,
  );
});

test('the question of a rule stays whatever else is written, in a draft from before too, until it is taken out', () => {
  const question = { prompt: 'Ship it?', options: [{ value: 'y', label: 'Yes' }] };
  const when = { source: SRC, kind: 'questions', question };
  const rule = Rule.parse({ name: 'r', when, then: { answer: 'y' } });
  const { withoutQuestion: _, ...draft } = { ...toWritten(rule), words: 'n' };
  deepStrictEqual(
    [draft, { ...draft, withoutQuestion: true }, { ...draft, withoutQuestion: false }].map(
      (written) => ruleOfWritten(written, rule)?.when,
    ),
    [when, { source: SRC, kind: 'questions' }, when],
  );
});

test('every digit of an argument survives the form', () => {
  const text = '{"/n":{"equals":9007199254740993}}';
  const rule = Rule.parse({ name: 'r', when: { tool: 'x', args: parseExact(text) }, then: 'approve' });
  strictEqual(JSON.stringify(ruleOfWritten(toWritten(rule), rule)?.when.args), text);
});

test('the form of a new rule asks, as without a rule, and approves nothing by itself', () => {
  deepStrictEqual(ruleOfWritten(toWritten(undefined), undefined), { name: '', when: {}, then: 'ask' });
  const approving = ruleOfWritten({ ...toWritten(undefined), name: 'r', does: 'approve' }, undefined);
  strictEqual(Rule.safeParse(approving).success, false);
});

test('what is written becomes the rule, blank lines left out', () => {
  const written = {
    ...toWritten(undefined),
    name: ' docs ',
    source: SRC,
    tool: 'Write\n\n  \nEdit',
    kind: 'actions',
    args: '{"/path":{"under":"/docs"}}',
    askedMax: '3',
    days: ['sun', 'mon'],
    does: 'ask-others' as const,
    words: 'mara，ops',
    until: '2026-11-21T22:00',
  };
  deepStrictEqual(ruleOfWritten(written, undefined), {
    name: 'docs',
    when: {
      source: SRC,
      tool: ['Write', 'Edit'],
      kind: 'actions',
      args: { '/path': { under: '/docs' } },
      asked: { max: 3 },
      days: ['mon', 'sun'],
    },
    then: { ask: ['mara', 'ops'] },
    until: new Date(2026, 10, 21, 22).toISOString(),
  });
});

test('arguments that are no JSON object make no rule', () => {
  deepStrictEqual(
    ['{', '[]', '1', 'null'].map((args) => ruleOfWritten({ ...toWritten(undefined), args }, undefined)),
    [undefined, undefined, undefined, undefined],
  );
});
