import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { toFaults } from '../faults.ts';
import { PutPolicies } from './rule.ts';

const SRC = 'src_00000000000000000000000001';
const faults = (rules: unknown[], version: unknown = 0) => {
  const { error } = PutPolicies.safeParse({ version, rules });
  return (error ? toFaults(error) : []).map(({ path, message }) => `${path} ${message}`);
};
const rule = (when: unknown, then: unknown = 'ask', more: object = {}) => ({ name: 'r', when, then, ...more });

test('every form of a rule is read', () => {
  const when = {
    source: [SRC],
    agent: 'Claude*',
    dialect: 'claude-hook',
    gate: 'files',
    tool: ['Bash', 'git_*'],
    args: {
      '/path': { under: '/home/me' },
      '/n': { min: 1, max: 5 },
      '/to~1x': { oneOf: ['a', 1, null] },
      '': { equals: {} },
      '/url': { matches: 'https://*' },
    },
    shell: ['git status', 'ls *'],
    annotation: 'read-only',
    group: '*',
    run: 'run-7',
    kind: ['actions'],
    question: {
      prompt: 'Ship it?',
      options: [{ value: 'y', label: 'Yes', description: 'To everybody.', preview: '# Release' }],
    },
    asked: { min: 3 },
    time: { from: '22:00', to: '07:00' },
    days: ['sat', 'sun'],
  };
  const thens = ['approve', 'suggested', 'you-decide', 'unanswered', 'ask', 'ask-quietly'];
  const objects = [{ reject: 'No.' }, { answer: 'Yes' }, { ask: ['alice', 'ops'] }];
  const rules = [...thens, ...objects].map((then, at) => rule(when, then, { name: `rule ${at}` }));
  const random = rule({ source: SRC, kind: 'questions' }, 'random', { until: '2027-01-01T00:00:00Z' });
  deepStrictEqual(faults([...rules, random]), []);
});

test('every fault of a list is named at its place', () => {
  deepStrictEqual(
    faults(
      [
        { name: '', when: {}, then: 'allow' },
        rule({ tol: 'Bash', source: 'claude' }, { reject: '' }, { name: 'b' }),
        rule({ args: { path: { equals: 1 }, '/n': {}, '/p': { under: '/a/../x' } } }, 'ask', {
          until: 'tomorrow',
          name: 'c',
        }),
        rule({ time: { from: '8:00', to: '25:00' }, days: [] }, { decider: 'gpt' }, { name: 'd' }),
        rule({ time: { from: '08:00', to: '08:00' } }),
        { ...rule({}), id: 'rul_1' },
      ],
      -1,
    ),
    [
      '/version is less than 0',
      '/rules/0/name is empty',
      '/rules/0/then must be "approve", "suggested", "you-decide", "unanswered", "random", "ask" or "ask-quietly", or have one member: "reject" or "answer" with words, "ask" with handles, or "decider" with an id',
      '/rules/1/when/source is not the id of a source',
      '/rules/1/when/tol is not a member this call knows',
      '/rules/1/then/reject is empty',
      '/rules/2/when/args/path is not a JSON Pointer like /path (RFC 6901)',
      '/rules/2/when/args/~1n compares with nothing',
      '/rules/2/when/args/~1p/under is not an absolute path without "..", "." and "~", like /home/me/project',
      '/rules/2/until is not a valid ISO datetime',
      '/rules/3/when/time/from is not a time of day like 08:30',
      '/rules/3/when/time/to is not a time of day like 08:30',
      '/rules/3/when/days is empty',
      '/rules/3/then/decider is not the id of a decider',
      '/rules/4/when/time ends when it begins; leave it out for the whole day',
      '/rules/5/id is not a member this call knows',
    ],
  );
});

test('a question in another shape than it is asked in is refused, with each fault', () => {
  const options = [{ value: 'y', label: 'Yes' }];
  const wrong = [
    'Ship it?',
    ['Ship it?'],
    {},
    { prompt: ' \n' },
    { prompt: 'x'.repeat(10_001) },
    { prompt: 'a', options: [] },
    { prompt: 'a', options: ['Yes'] },
    { prompt: 'a', options: [{ label: 'Yes' }] },
    { prompt: 'a', options: Array.from({ length: 51 }, (_, at) => ({ value: `${at}`, label: 'a' })) },
    { prompt: 'a', options, required: true },
    { prompt: 'a', options: null },
    { prompts: 'a' },
    null,
  ];
  deepStrictEqual(
    wrong.map((question) => faults([rule({ question })])),
    [
      ['/rules/0/when/question must be an object'],
      ['/rules/0/when/question must be an object'],
      ['/rules/0/when/question/prompt is missing'],
      ['/rules/0/when/question/prompt is empty'],
      ['/rules/0/when/question/prompt is longer than 10000 characters'],
      ['/rules/0/when/question/options is empty'],
      ['/rules/0/when/question/options/0 must be an object'],
      ['/rules/0/when/question/options/0/value is missing'],
      ['/rules/0/when/question/options has more than 50 entries'],
      ['/rules/0/when/question/required is not a member this call knows'],
      ['/rules/0/when/question/options must be an array'],
      ['/rules/0/when/question/prompt is missing', '/rules/0/when/question/prompts is not a member this call knows'],
      ['/rules/0/when/question must be an object'],
    ],
  );
});

test('a rule that would approve everything, or leave to chance what is more than one question, is refused', () => {
  const unbound = [{}, { tool: '*' }, { tool: ['Bash', '**'] }, { days: ['mon'] }, { agent: 'a' }, { args: {} }];
  deepStrictEqual(
    unbound.map((when) => faults([rule(when, 'approve')]).length),
    [1, 1, 0, 1, 1, 1],
  );
  deepStrictEqual(
    [{}, { source: [SRC, SRC] }, { source: SRC, tool: 'x' }, { source: SRC, kind: 'actions' }].flatMap((when) =>
      faults([rule(when, 'random')]),
    ),
    [
      '/rules/0/when/source must name one source: "random" is for one source only',
      '/rules/0/when/source must name one source: "random" is for one source only',
      '/rules/0/then may not be "random" for actions: chance approves nothing',
      '/rules/0/then may not be "random" for actions: chance approves nothing',
    ],
  );
});

test('[POL1] commands are named for the tools that run them as a shell does', () => {
  const of = (when: object, then: unknown = 'approve') => faults([rule({ shell: ['git status'], ...when }, then)]);
  const needed = [
    '/rules/0/when/shell needs tool beside it: other tools may run a command of that name in their own way',
  ];
  deepStrictEqual(
    [of({}), of({ gate: 'files' }), of({ tool: '*' }, 'ask'), of({ tool: 'Bash' }), of({ tool: ['Bash', 'shell'] })],
    [needed, needed, needed, [], []],
  );
});

test('a list holds at most 1,000 rules, each with a name of its own', () => {
  const many = Array.from({ length: 1001 }, (_, at) => rule({}, 'ask', { name: `rule ${at}` }));
  deepStrictEqual(
    [faults(many), faults([rule({}), rule({ tool: 'x' })])],
    [['/rules has more than 1000 entries'], ['/rules/1/name stands here twice']],
  );
});
