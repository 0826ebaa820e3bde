import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Action, Inquiry } from '#shared/inquiry.ts';
import { Rule, type When } from '#shared/policies/rule.ts';
import { decide } from '../../inquiry/calls/deciding.ts';
import { firstReply } from '../../inquiry/reply/state.ts';
import { approvedAlike, approvedPlainly, endAt, listExtents, ruleFor, withFirst } from './extents.ts';

const SRC = 'src_00000000000000000000000001';
const bash = (args: object, more: Partial<Action> = {}): Action => ({
  name: 'Bash',
  args: args as Action['args'],
  allowed: ['approve', 'reject'],
  ...more,
});
const asked = (actions: Action[], more: Partial<Inquiry> = {}): Inquiry => ({
  id: 'inq_1',
  state: 'open',
  to: ['mara'],
  title: 'Bash',
  source: { id: SRC, name: 'Claude Code' },
  digest: '',
  revision: 1,
  openedAt: '2026-11-21T13:05:00Z',
  deadlineAt: '2026-11-21T14:05:00Z',
  latestAt: '2026-11-21T14:05:00Z',
  reach: { told: 1, accepted: 1, shown: 1, opened: 1 },
  actions,
  ...more,
});
const offered = (inquiry: Inquiry, handle = 'mara') => Object.fromEntries(listExtents(inquiry, handle));
const call = { source: SRC, tool: 'Bash' };
const GIT = { command: 'git status && git log -3', description: 'Look' };

test('one call is offered by its commands, its exact arguments, its tool and its run', () => {
  deepStrictEqual(offered(asked([bash(GIT)], { context: { runId: '482' } })), {
    commands: { ...call, shell: ['git status', 'git log -3'] },
    // What the agent says of it is worded anew each time.
    args: { ...call, args: { '': { equals: { command: GIT.command }, apart: ['description'] } } },
    tool: call,
    run: { source: SRC, run: '482', kind: 'actions' },
  });
});

test('several calls are offered by their tools and their run', () => {
  deepStrictEqual(offered(asked([bash(GIT), { ...bash({}), name: 'Read' }], { context: { threadId: 't' } })), {
    tool: { source: SRC, tool: ['Bash', 'Read'] },
    run: { source: SRC, run: 't', kind: 'actions' },
  });
});

test('a rule for commands names every argument that could change what runs', () => {
  deepStrictEqual(offered(asked([bash({ command: 'ls', cwd: '/a', 'x/~': [1], timeout: 5 })]))['commands'], {
    ...call,
    shell: ['ls'],
    args: { '/cwd': { equals: '/a' }, '/x~1~0': { equals: [1] } },
  });
});

test('a description counts where it may be what the call is about, and any other argument always', () => {
  const exactly = (args: object) => offered(asked([bash(args)]))['args']?.args;
  const issue = { title: 'Slow', description: 'Very' };
  const odd = { command: 'ls > x', description: ['Look'] };
  const cwd = { command: 'ls > x', cwd: '/a' };
  deepStrictEqual(
    [exactly(issue), exactly(odd), exactly({ ...cwd, description: 'Look' })],
    [{ '': { equals: issue } }, { '': { equals: odd } }, { '': { equals: cwd, apart: ['description'] } }],
  );
});

test('numbers stay as they were written', () => {
  const inquiry = asked([bash({ n: 9007199254740992 })], { argsText: ['{"n":9007199254740993}'] });
  deepStrictEqual(JSON.stringify(offered(inquiry)['args']?.args), '{"":{"equals":{"n":9007199254740993}}}');
});

const LINES = [
  'ls; rm "a b"',
  'ls $(id)',
  'ls `id`',
  'ls > x',
  'ls *',
  'A=1 ls',
  '(ls)',
  'ls &',
  "ls 'a'",
  'ls ~',
  'ls\nid',
  'ls {a,b}',
  'ls a\\ b',
  '',
  'ls ${x}',
  'ls #x',
  '-x',
  `ls ${'x'.repeat(1000)}`,
];

test('a line that a shell reads as more than plain words is offered by its exact arguments only', () => {
  deepStrictEqual(
    LINES.map((command) => Object.keys(offered(asked([bash({ command })])))),
    LINES.map(() => ['args', 'tool']),
  );
});

test('[POL7] nothing is offered for caution, nor for what may not simply be approved', () => {
  const sticky = [{ id: 'a', label: 'Always', type: 'approve' as const, remember: 'git' }];
  const plain = [...sticky, { id: 'y', label: 'Yes', type: 'approve' as const }];
  deepStrictEqual(
    [
      [bash(GIT, { caution: true })],
      [bash(GIT), bash(GIT, { caution: true })],
      [bash(GIT, { allowed: ['edit', 'reject'] })],
      [bash(GIT, { options: sticky })],
      [bash(GIT, { options: plain })],
      [],
    ].map((actions) => Object.keys(offered(asked(actions))).length),
    [0, 0, 0, 0, 3, 0],
  );
});

test('[POL7] nothing is offered for what others are asked too, nor where rules do not count', () => {
  deepStrictEqual(
    [
      asked([bash(GIT)], { to: ['mara', 'jonas'] }),
      asked([bash(GIT)], { to: ['ops'] }),
      asked([bash(GIT)], { rules: 'none' }),
    ].map((inquiry) => offered(inquiry)),
    [{}, {}, {}],
  );
});

test('[POL7] a call whose diff is shown is not offered by its arguments, which say nothing of another diff', () => {
  const diff = [{ path: 'a.ts', oldText: '', newText: 'x' }];
  deepStrictEqual(Object.keys(offered(asked([bash(GIT, { diff })]))), ['tool']);
});

test('a tool whose name holds a star, which stands for any text in a rule, is offered by its run only', () => {
  deepStrictEqual(Object.keys(offered(asked([{ ...bash(GIT), name: '*' }], { context: { runId: '1' } }))), ['run']);
});

test('what is offered is a rule that the hub takes, with a name that is free', () => {
  const until = '2026-11-21T21:00:00.000Z';
  const whens = [...listExtents(asked([bash(GIT)], { context: { runId: 'r\n1' } }), 'mara').values()];
  const rules: Rule[] = [];
  for (const when of [...whens, call as When, { ...call, shell: ['x'.repeat(99)] }])
    rules.push(Rule.parse(ruleFor(when, until, 'Claude 🚀', rules)));
  deepStrictEqual(
    rules.map(({ name }) => name),
    [
      'Claude 🚀: Bash',
      'Claude 🚀: git status, git log -3',
      'Claude 🚀: Bash (2)',
      'Claude 🚀: run r 1',
      'Claude 🚀: Bash (3)',
      `Claude 🚀: ${'x'.repeat(26)}…`,
    ],
  );
});

test('of several commands in a line their exact arguments are offered first', () => {
  const first = (command: string) => [...listExtents(asked([bash({ command })]), 'mara').keys()][0];
  deepStrictEqual([first('git status'), first('git status && git log')], ['commands', 'args']);
});

test('[POL7] it comes after what asks or rejects, so that it approves nothing that was excluded', () => {
  const rule = (name: string, then: Rule['then']): Rule => ({ name, when: call, then });
  const [a, b, c, own] = [
    rule('a', 'approve'),
    rule('b', { reject: 'No.' }),
    rule('c', 'approve'),
    rule('own', 'approve'),
  ];
  const names = (...list: Rule[]) => withFirst(list, own, 0).map(({ name }) => name);
  deepStrictEqual(
    [names(a, b, c), names(a, c), names(a, rule('q', 'ask-quietly')), names(rule('o', { ask: ['ops'] }), c)],
    [
      ['a', 'b', 'own', 'c'],
      ['own', 'a', 'c'],
      ['a', 'q', 'own'],
      ['o', 'own', 'c'],
    ],
  );
});

test('it takes the place of what said the same and has ended', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  const rule = (name: string, until?: string): Rule => ({
    name,
    when: call,
    then: 'approve',
    ...(until ? { until } : {}),
  });
  const [over, runs, own] = [rule('over', '2026-11-21T11:00:00Z'), rule('runs', '2026-11-21T13:00:00Z'), rule('own')];
  const other: Rule = { name: 'other', when: {}, then: 'ask', until: '2026-11-21T11:00:00Z' };
  deepStrictEqual(withFirst([over, runs, own, other], rule('new', '2026-11-21T21:00:00Z'), now), [
    runs,
    own,
    other,
    rule('new', '2026-11-21T21:00:00Z'),
  ]);
});

test('[POL7] an end is always near, and the night that has begun lasts until the morning', () => {
  const local = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).toISOString();
  const at = (hour: number, minute: number) => new Date(2026, 10, 21, hour, minute).getTime();
  deepStrictEqual(
    [
      endAt('tonight', at(13, 5)),
      endAt('tonight', at(21, 0)),
      endAt('tonight', at(21, 1)),
      endAt('tonight', at(23, 59)),
      endAt('tonight', at(0, 1)),
      endAt('hour', at(13, 5)),
      endAt('week', at(13, 5)),
    ],
    [local(21, 22), local(21, 22), local(22, 4), local(22, 4), local(21, 22), local(21, 14, 5), local(28, 13, 5)],
  );
});

test('with the rule the call at hand is approved, by a choice of its sender that does not stick', () => {
  const options = [
    { id: 'a', label: 'Always', type: 'approve' as const, remember: 'git' },
    { id: 'y', label: 'Yes', type: 'approve' as const },
  ];
  const inquiry = asked([bash(GIT), bash(GIT, { options })]);
  const before = firstReply(inquiry);
  deepStrictEqual(
    approvedPlainly(inquiry, decide(before, 0, { type: 'reject' })).calls.map(({ type, optionId }) => [type, optionId]),
    [
      ['approve', undefined],
      ['approve', 'y'],
    ],
  );
});

test('approvals count that this person gave within a week and that the rule would have given too', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  const person = (handle: string) => ({
    kind: 'person' as const,
    handle,
    device: { id: 'd', name: 'D' },
    via: 'live' as const,
  });
  const item = (more: object) => ({
    inquiryId: 'inq_1',
    title: 'Bash',
    openedAt: '2026-11-20T12:00:00Z',
    would: { outcome: 'answered' as const, text: 'Approved.' },
    did: { outcome: 'answered' as const, text: 'Approved.', by: person('mara') },
    differs: false,
    ...more,
  });
  const { would: _, ...left } = item({});
  const { did } = item({});
  const items = [
    item({}),
    left,
    item({ differs: true }),
    item({ openedAt: '2026-11-14T11:00:00Z' }),
    item({ did: { ...did, by: person('jonas') } }),
    item({ did: { ...did, by: { kind: 'policy', label: 'r', ruleId: 'rul_1' } } }),
  ];
  deepStrictEqual(approvedAlike({ looked: 6, items, faults: [], waiting: [] }, 'mara', now), 1);
});
