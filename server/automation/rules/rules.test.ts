import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { parseExact, type Json } from '#shared/json.ts';
import { parseOrRefuse } from '#shared/faults.ts';
import { Rule, type Then, type When } from '#shared/policies/rule.ts';
import type { Asking } from './may-fit.ts';
import { prepare, search } from './rules.ts';

const SRC = 'src_00000000000000000000000001';
const OTHER = 'src_00000000000000000000000002';
const call = (name: string, args: Json = {}) => ({ name, args });
const asking = (more: Partial<Asking> = {}): Asking => ({
  sourceId: SRC,
  kind: more.calls === undefined || more.calls.length > 0 ? 'actions' : 'text',
  calls: [call('Bash', { command: 'ls' })],
  now: Date.parse('2026-03-04T12:00:00Z'),
  ...more,
});
const withArgs = (text: string) => asking({ calls: [call('Bash', parseExact(text) as Json)] });
const rule = (when: unknown, more: object = {}) => parseOrRefuse(Rule, { name: 'r', when, then: 'ask', ...more });
const fits = (when: When, what: Asking, zone = 'UTC', then: Then = 'approve') =>
  search([prepare([{ name: 'r', when, then }], zone)], what) !== undefined;

const at = (pointer: string, comparison: object): When => ({ args: { [pointer]: comparison } });
const question = asking({ calls: [], kind: 'text' });

/** A condition, what is asked, and whether it fits. */
const CASES: [when: When, what: Asking, expected: boolean][] = [
  [{}, asking(), true],
  [{}, question, true],
  [{ source: SRC }, asking(), true],
  [{ source: OTHER }, asking(), false],
  [{ source: [OTHER, SRC] }, asking(), true],
  [{ agent: 'Claude*' }, asking({ agent: 'Claude Code' }), true],
  [{ agent: 'Claude*' }, asking({ agent: 'Codex' }), false],
  [{ agent: '*' }, asking(), false],
  [{ agent: 'Claude Code' }, asking({ agent: 'Claude Code', subagent: 'reviewer' }), true],
  [{ agent: 'reviewer' }, asking({ agent: 'Claude Code', subagent: 'reviewer' }), true],
  [{ agent: 'Codex' }, asking({ agent: 'Claude Code', subagent: 'reviewer' }), false],
  [{ dialect: 'claude-hook' }, asking({ dialect: 'claude-hook' }), true],
  [{ dialect: 'claude-hook' }, asking(), false],
  [{ gate: 'files' }, asking({ gate: { name: 'files' } }), true],
  [{ gate: ['git', 'files'] }, asking({ gate: { name: 'files' } }), true],
  [{ gate: 'files' }, asking({ gate: { name: 'file' } }), false],
  [{ gate: 'files' }, asking(), false],
  [{ tool: 'Bash' }, asking(), true],
  [{ tool: 'bash' }, asking(), false],
  [{ tool: 'B*' }, asking(), true],
  [{ tool: ['Read', 'Bash'] }, asking(), true],
  [{ tool: '*' }, question, false],
  [{ kind: 'actions' }, asking(), true],
  [{ kind: ['text', 'questions'] }, asking(), false],
  [{ kind: 'text' }, question, true],
  [{ group: 'run-*' }, asking({ group: 'run-7' }), true],
  [{ group: 'run-*' }, asking(), false],
  [{ run: 'run-7' }, asking({ run: 'run-7' }), true],
  [{ run: ['run-6', 'run-7'] }, asking({ run: 'run-7' }), true],
  [{ run: 'run-*' }, asking({ run: 'run-7' }), false],
  [{ run: 'run-7' }, asking(), false],
  [{ annotation: 'read-only' }, asking({ gate: { name: 'g', annotations: { readOnlyHint: true } } }), true],
  [{ annotation: 'read-only' }, asking({ gate: { name: 'g' } }), false],
  [{ annotation: 'read-only' }, asking(), false],
  [{ annotation: 'destructive' }, asking({ gate: { name: 'g', annotations: { destructiveHint: true } } }), true],
  [{ annotation: 'destructive' }, asking({ gate: { name: 'g', annotations: {} } }), false],
  [{ annotation: 'not destructive' }, asking({ gate: { name: 'g', annotations: { destructiveHint: false } } }), true],
  [{ annotation: 'not destructive' }, asking({ gate: { name: 'g', annotations: { readOnlyHint: true } } }), true],
  [{ annotation: 'not destructive' }, asking({ gate: { name: 'g', annotations: {} } }), false],
  [{ asked: { min: 3 } }, asking({ asked: () => 3 }), true],
  [{ asked: { min: 3 } }, asking({ asked: () => 2 }), false],
  [{ asked: { max: 3 } }, asking({ asked: () => 4 }), false],
  [{ asked: { max: 3 } }, asking(), false],
  [{ time: { from: '08:00', to: '18:00' } }, asking(), true],
  [{ time: { from: '12:00', to: '12:01' } }, asking(), true],
  [{ time: { from: '11:00', to: '12:00' } }, asking(), false],
  [{ time: { from: '22:00', to: '07:00' } }, asking(), false],
  [{ time: { from: '22:00', to: '12:01' } }, asking(), true],
  [{ days: ['wed'] }, asking(), true],
  [{ days: ['sat', 'sun'] }, asking(), false],
  [{ source: SRC, tool: 'Read' }, asking(), false],
  [{ source: SRC, tool: 'Bash' }, asking(), true],
  // Arguments.
  [at('/command', { equals: 'ls' }), asking(), true],
  [at('/command', { equals: 'ls ' }), asking(), false],
  [at('/command', { equals: 'ls' }), question, false],
  [at('/none', { equals: 'ls' }), asking(), false],
  [at('/none', { equals: null }), asking(), false],
  [at('/none', { equals: null }), withArgs('{"none":null}'), true],
  [at('', { equals: { b: 1, a: [2] } }), withArgs('{"a":[2],"b":1}'), true],
  [at('', { equals: { a: [2] } }), withArgs('{"a":[2],"b":1}'), false],
  [at('', { equals: {} }), withArgs('{}'), true],
  [at('/n', { equals: 1 }), withArgs('{"n":1.0}'), false],
  [at('/n', { equals: 1 }), withArgs('{"n":"1"}'), false],
  [at('/n', { equals: true }), withArgs('{"n":true}'), true],
  [at('/a/1', { equals: 'y' }), withArgs('{"a":["x","y"]}'), true],
  [at('/a/01', { equals: 'y' }), withArgs('{"a":["x","y"]}'), false],
  [at('/a/-', { equals: 'y' }), withArgs('{"a":["x","y"]}'), false],
  [at('/a/length', { equals: 2 }), withArgs('{"a":["x","y"]}'), false],
  [at('/constructor', { matches: '*' }), withArgs('{}'), false],
  [at('/a~1b', { equals: 1 }), withArgs('{"a/b":1}'), true],
  [at('/a~0b', { equals: 1 }), withArgs('{"a~b":1}'), true],
  [at('/x', { oneOf: ['a', 'b'] }), withArgs('{"x":"b"}'), true],
  [at('/x', { oneOf: ['a', 'b'] }), withArgs('{"x":"c"}'), false],
  [at('/x', { oneOf: ['a', 'b'], equals: 'a' }), withArgs('{"x":"b"}'), false],
  [at('/x', { matches: 'https://example.org/*' }), withArgs('{"x":"https://example.org/a"}'), true],
  [at('/x', { matches: 'https://example.org/*' }), withArgs('{"x":"https://example.organ/"}'), false],
  [at('/x', { matches: '*' }), withArgs('{"x":1}'), false],
  [at('/n', { min: 1, max: 5 }), withArgs('{"n":1}'), true],
  [at('/n', { min: 1, max: 5 }), withArgs('{"n":5.0}'), true],
  [at('/n', { min: 1, max: 5 }), withArgs('{"n":5.1}'), false],
  [at('/n', { min: 0 }), withArgs('{"n":-1}'), false],
  [at('/n', { max: 5 }), withArgs('{"n":"4"}'), false],
  [at('/n', { max: 5 }), withArgs('{"n":5.00000000000000000001}'), false],
  [at('/n', { max: 1e20 }), withArgs('{"n":12345678901234567890}'), true],
  [at('/n', { max: 0 }), withArgs('{"n":1e-400}'), false],
  [at('/n', { max: 0 }), withArgs('{"n":0e-400}'), true],
  [at('/n', { min: 0, max: 0 }), withArgs('{"n":-0.0}'), true],
  [at('/n', { max: 100 }), withArgs('{"n":1e400}'), false],
  [at('/n', { max: 100 }), withArgs('{"n":-1e400}'), true],
  [at('/n', { min: -100 }), withArgs('{"n":-100.00000000000000000001}'), false],
  [at('/n', { max: 100 }), withArgs('{"n":1E2}'), true],
  [at('/n', { max: 100 }), withArgs('{"n":99.99999999999999999999}'), true],
  [at('/n', { min: 0.1, max: 0.1 }), withArgs('{"n":0.10}'), true],
  [at('/n', { min: 1e-7 }), withArgs('{"n":0.00000010}'), true],
  [at('/n', { max: 5 }), withArgs('{"n":null}'), false],
  // Commands.
  [{ tool: 'Bash', shell: ['ls'] }, asking(), true],
  [{ tool: 'Bash', shell: ['ls'] }, question, false],
  [{ tool: 'Bash', shell: ['cat'] }, asking(), false],
  [{ tool: 'Bash', shell: ['ls', 'git status'] }, withArgs('{"command":"ls && git status"}'), true],
  [{ tool: 'Bash', shell: ['ls'] }, withArgs('{"command":"ls; rm -rf /"}'), false],
  [{ tool: 'Bash', shell: ['ls'] }, withArgs('{"command":["ls"]}'), false],
  [{ tool: 'Bash', shell: ['ls'] }, withArgs('{"cmd":"ls"}'), false],
  [{ tool: 'Bash', shell: ['ls'] }, withArgs('{"command":"ls","description":"List","timeout":5}'), true],
  [{ tool: 'Bash', shell: ['ls'] }, withArgs('{"command":"ls","dangerouslyDisableSandbox":true}'), false],
  [{ tool: 'Bash', shell: ['ls'] }, withArgs('{"command":"ls","cwd":"/etc"}'), false],
  [
    { tool: 'Bash', shell: ['ls'], args: { '/cwd': { under: '/home/me' } } },
    withArgs('{"command":"ls","cwd":"/etc"}'),
    false,
  ],
  [
    { tool: 'Bash', shell: ['ls'], args: { '/cwd': { under: '/home/me' } } },
    withArgs('{"command":"ls","cwd":"/home/me"}'),
    true,
  ],
  [{ tool: 'Bash', shell: ['ls'] }, withArgs('{"command":"ls","description":{"x":1}}'), false],
  [{ tool: 'Bash', shell: ['ls'] }, withArgs('{"command":"ls","timeout":"5"}'), false],
  [{ tool: 'Bash', shell: ['ls'] }, withArgs('{"command":"ls","timeout":5.0,"run_in_background":false}'), true],
  [{ tool: 'Bash', shell: ['ls'] }, withArgs('{"command":"ls","run_in_background":["x"]}'), false],
  [
    { tool: 'Bash', shell: ['ls'], args: { '/env/LANG': { equals: 'C' } } },
    withArgs('{"command":"ls","env":{"LANG":"C","LD_PRELOAD":"/tmp/x.so"}}'),
    false,
  ],
  [
    { tool: 'Bash', shell: ['ls'], args: { '/env': { equals: { LANG: 'C' } } } },
    withArgs('{"command":"ls","env":{"LANG":"C"}}'),
    true,
  ],
  [{ tool: 'Bash', shell: ['cat *'] }, withArgs('{"command":"cat @/tmp/opts"}'), false],
];

test('[POL1] a rule fits where each of its conditions holds, and nowhere else', () => {
  const wrong = CASES.filter(([when, what, expected]) => fits(when, what) !== expected);
  deepStrictEqual(wrong, []);
});

test('a rule whose text is long is found by it', () => {
  const long = `/home/${'x'.repeat(300)}`;
  const ask = asking({ calls: [call('w', { p: `${long}/a` })] });
  deepStrictEqual([fits(at('/p', { under: long }), ask), fits(at('/p', { under: `${long}x` }), ask)], [true, false]);
});

test('[POL1] only an absolute path that stays below a folder is under it', () => {
  const under = (path: unknown) =>
    fits(at('/p', { under: '/home/me' }), asking({ calls: [call('w', { p: path } as Json)] }));
  const inside = ['/home/me', '/home/me/a', '/home/me/a b/ü.txt', '/home/me/.ssh', '/home/me/a/...', '/home/me/a~'];
  const outside = [
    '/home/me2',
    '/home/mea/b',
    '/home',
    '/',
    '',
    'home/me/a',
    './a',
    '~/a',
    '~me/a',
    '/home/me/../you',
    '/home/me/a/..',
    '/home/me/./a',
    '/home/me/.',
    '/home/me//a',
    '//home/me/a',
    '/home/me/~root',
    '/home/me/a\\..\\..\\b',
    '/home/me/a\n/etc/passwd',
    '/home/me/\u0085',
    '/home/me/\u007f',
    ' /home/me/a',
    'file:///home/me/a',
    '/HOME/me/a',
    '/home/ｍe/a',
    ['/home/me/a'],
    { path: '/home/me/a' },
    1,
    null,
  ];
  deepStrictEqual([inside.filter((path) => !under(path)), outside.filter(under)], [[], []]);
});

test('[POL1] times of day and days are those of the time zone of the person, summer and winter', () => {
  const when: When = { time: { from: '22:00', to: '07:00' }, days: ['mon'] };
  const cases = [
    ['2026-01-05T21:30:00Z', 'Europe/Berlin', true],
    ['2026-01-05T20:30:00Z', 'Europe/Berlin', false],
    ['2026-07-06T20:30:00Z', 'Europe/Berlin', true],
    // The night of Monday lasts until Tuesday.
    ['2026-01-05T23:30:00Z', 'Europe/Berlin', true],
    ['2026-01-04T23:30:00Z', 'Europe/Berlin', false],
    ['2026-01-05T03:00:00Z', 'Asia/Shanghai', false],
    ['2026-01-05T15:00:00Z', 'Asia/Shanghai', true],
  ] as const;
  const found = cases.map(([now, zone]) => fits(when, asking({ now: Date.parse(now) }), zone));
  deepStrictEqual(
    found,
    cases.map(([, , expected]) => expected),
  );
});

test('[POL1] commands that a rule keeps back fit with any other, with options, and where the line is not understood', () => {
  const kept = (args: string, shell = ['git push *', 'npm publish']) =>
    fits({ tool: 'Bash', shell }, withArgs(args), 'UTC', { reject: 'No.' });
  const line = (command: string) => JSON.stringify({ command });
  const fitting = [
    line('git push origin main'),
    line('git push origin main; true'),
    line('git push --force'),
    line('git push "$x"'),
    line('echo $(x)'),
    '{"command":"git push","cwd":"/x"}',
    '{"command":["git","push"]}',
    '{"Command":"git push"}',
  ];
  deepStrictEqual(
    [
      fitting.filter((args) => !kept(args)),
      ['{}', line('git pull'), line('npm publish x')].filter((args) => kept(args)),
    ],
    [[], []],
  );
  // An entry that this version reads no more.
  deepStrictEqual([kept(line('ls'), ['cat $x']), fits({ shell: ['cat $x'] }, asking())], [true, false]);
  deepStrictEqual(fits({ tool: 'Bash', shell: ['sudo *'] }, withArgs(line('sudo -u x sh')), 'UTC', 'ask'), true);
});

test('a thousand rules for exact arguments look at a large call once', () => {
  const args = { data: Array.from({ length: 10_000 }, (_, at) => ({ [`k${at}`]: at })) };
  let read = 0;
  const counted = new Proxy(args, { ownKeys: (target) => (read++, Reflect.ownKeys(target)) });
  const rules = Array.from({ length: 1000 }, (_, at) =>
    rule({ args: { '': { equals: { at } } } }, { name: `rule ${at}`, then: 'approve' }),
  );
  deepStrictEqual([search([prepare(rules, 'UTC')], asking({ calls: [call('Write', counted)] })), read], [undefined, 1]);
});

test('[POL1] a rule ends at the instant it names', () => {
  const end = Date.parse('2026-03-04T12:00:00Z');
  const list = prepare([rule({}, { until: '2026-03-04T13:00:00+01:00' })], 'UTC');
  deepStrictEqual(
    [end - 1, end].map((now) => search([list], asking({ now })) !== undefined),
    [true, false],
  );
});

test('[POL1] exactly these arguments whatever their description says, and nothing else of them', () => {
  const when = at('', { equals: { command: 'ls > x' }, apart: ['description'] });
  const found = [
    '{"command": "ls > x"}',
    '{"command": "ls > x", "description": "Look"}',
    '{"description": "Anew", "command": "ls > x"}',
    '{"command": "ls > x", "description": {"command": "rm"}}',
    '{"command": "ls > x", "Description": "Look"}',
    '{"command": "ls > x", "description": "Look", "cwd": "/"}',
    '{"command": "ls > y", "description": "Look"}',
    '["ls > x"]',
    '{"command": ["ls > x"], "description": "Look"}',
  ].map((text) => fits(when, withArgs(text)));
  deepStrictEqual(found, [true, true, true, false, false, false, false, false, false]);
  const fenced = ['{"command": "ls > x", "description": "Look"}', '{"command": "ls > y", "description": "Look"}'];
  deepStrictEqual(
    fenced.map((text) => fits(when, withArgs(text), 'UTC', { reject: 'No.' })),
    [true, false],
  );
});

test('[POL1] a rule that is turned off does nothing, and keeps nothing back', () => {
  const off = { off: true } as const;
  const approves = [rule({ tool: 'Bash' }, { then: 'approve', name: 'b' })];
  const found = (first: object) => search([prepare([rule({ tool: 'Bash' }, first), ...approves], 'UTC')], asking());
  const names = [{}, off, { then: 'approve', ...off }].map(found).map((one) => one !== 'people' && one?.rule.name);
  deepStrictEqual(names, ['r', 'b', 'b']);
  deepStrictEqual(
    search([prepare([rule({ tool: 'bash' }, off), ...approves], 'UTC')], asking()) !== 'people',
    true,
    'nor does another spelling of a tool that it names',
  );
});

test('[POL1] the first rule of the first list counts, and calls with different rules are for people', () => {
  const named = (name: string, when: When) => parseOrRefuse(Rule, { name, when, then: 'ask' });
  const lists = [
    prepare([named('rm', { tool: 'rm' }), named('r', { tool: 'r*' })], 'UTC'),
    prepare([named('all', {}), named('never', { tool: 'ls' })], 'UTC'),
  ];
  const found = (...names: string[]) => {
    const one = search(lists, asking({ calls: names.map((name) => call(name)) }));
    return typeof one === 'object' ? one.rule.name : one;
  };
  deepStrictEqual(
    [found('rm'), found('read'), found('ls'), found('read', 'rest'), found('rm', 'read'), found('ls', 'rm')],
    ['rm', 'r', 'all', 'r', 'people', 'people'],
  );
  deepStrictEqual(search([], asking()), undefined);
});

test('[POL1] a tool under another spelling of a name that a rule knows is approved by none, and no YOLO approves it', () => {
  const one = (when: When, then: Then = 'approve'): Rule => ({ name: JSON.stringify([when, then]), when, then });
  const becomes = (name: string, ...rules: Rule[]) => {
    const found = search(
      [prepare(rules, 'UTC'), prepare([one({ kind: 'actions' })], 'UTC')],
      asking({ calls: [call(name)] }),
    );
    return typeof found === 'object' ? found.rule.then : found;
  };
  const bash = one({ tool: 'Bash', args: { '/path': { under: '/srv' } } });
  deepStrictEqual(
    [
      ['bash', 'Ba\u200bsh', ' Bash', 'Ｂash', 'BASH'].map((name) => becomes(name, bash)),
      becomes('Bash', bash),
      becomes('Read', bash),
      becomes('bash', bash, one({ tool: 'bash' })),
      becomes('bash', { ...bash, until: '2026-01-01T00:00:00Z' }),
      becomes('bash', one({ source: OTHER, tool: 'Bash' })),
      becomes('Delete_x', one({ tool: 'delete_*' }, { reject: 'No.' })),
      becomes('Delete_x', one({ tool: '*' }), one({ tool: 'delete_*' }, 'ask')),
      becomes('Delete_x', one({ tool: '*' })),
    ],
    [
      ['people', 'people', 'people', 'people', 'people'],
      'approve',
      'approve',
      'approve',
      'approve',
      'approve',
      { reject: 'No.' },
      'people',
      'approve',
    ],
  );
});

test('[POL1] at a gate that could not ask for a tool nobody knows what that says of itself', () => {
  const unknown = asking({ gate: { name: 'g' } });
  const found = (['read-only', 'destructive', 'not destructive'] as const).map((annotation) =>
    [{ reject: 'No.' }, 'approve' as const].map((then) => fits({ annotation }, unknown, 'UTC', then)),
  );
  deepStrictEqual(found, Array(3).fill([true, false]));
});
