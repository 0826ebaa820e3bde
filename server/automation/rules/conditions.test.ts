import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { parseOrRefuse } from '#shared/faults.ts';
import { GateRule } from '#shared/policies/gate.ts';
import type { AppError } from '#shared/problem.ts';
import { decide, decidedByName, type AboutTool, type Calling } from './decide.ts';

const SRC = 'src_00000000000000000000000001';
const NOON = Date.parse('2026-03-04T12:00:00Z');
const READS: AboutTool = { annotations: { readOnlyHint: true } };
const DESTROYS: AboutTool = { annotations: { destructiveHint: true } };

const list = (...rules: object[]) => ({
  rules: rules.map((rule) => parseOrRefuse(GateRule, rule)),
  otherwise: 'annotations' as const,
  timeZone: 'UTC',
});
const calling = (argsText = '{}', more: Partial<Calling> = {}): Calling => ({
  sourceId: SRC,
  agent: 'Claude Code',
  now: NOON,
  argsText,
  ...more,
});
const found = (...[rules, tool, call]: [object[], AboutTool | undefined, Calling | undefined]) => {
  const { does, rule } = decide(list(...rules), 'write', tool, call);
  return rule === undefined ? does : `${does} ${rule}`;
};
const tmp = { args: { '/path': { under: '/tmp' } } };

/** The rules of a gate, what is known of the tool and of the call, and what becomes of it by which rule. */
const CASES: [rules: object[], tool: AboutTool | undefined, call: Calling | undefined, becomes: string][] = [
  // A tool and its short form.
  [[{ tool: 'write', does: 'deny' }], {}, calling(), 'deny 0'],
  [[{ when: { tool: 'write' }, does: 'deny' }], {}, calling(), 'deny 0'],
  [[{ when: { tool: ['read', 'wr*'] }, does: 'deny' }], {}, calling(), 'deny 0'],
  [[{ when: { tool: 'read' }, does: 'deny' }], {}, calling(), 'ask'],
  // Arguments.
  [[{ tool: 'write', when: tmp, does: 'allow' }], {}, calling('{"path":"/tmp/a"}'), 'allow 0'],
  [[{ tool: 'write', when: tmp, does: 'allow' }], {}, calling('{"path":"/tmp/../etc"}'), 'ask'],
  [[{ tool: 'read', when: tmp, does: 'allow' }], {}, calling('{"path":"/tmp/a"}'), 'ask'],
  [[{ when: tmp, does: 'deny' }], READS, calling('{"path":"/tmp/a"}'), 'deny 0'],
  [[{ when: tmp, does: 'deny' }], READS, calling('{"path":"/etc"}'), 'allow'],
  [
    [
      { tool: 'write', when: tmp, does: 'deny' },
      { tool: 'write', does: 'allow' },
    ],
    {},
    calling('{"path":"/a"}'),
    'allow 1',
  ],
  [[{ when: { args: { '/n': { max: 5 } } }, does: 'allow' }], {}, calling('{"n":5}'), 'allow 0'],
  [[{ when: { args: { '/n': { max: 5 } } }, does: 'allow' }], {}, calling('{"n":5.0000000000000000001}'), 'ask'],
  // A command.
  [
    [{ tool: 'write', when: { shell: ['git status'] }, does: 'allow' }],
    {},
    calling('{"command":"git status"}'),
    'allow 0',
  ],
  [
    [{ tool: 'write', when: { shell: ['git status'] }, does: 'allow' }],
    {},
    calling('{"command":"git status; rm a"}'),
    'ask',
  ],
  // What the tool says of itself.
  [[{ when: { annotation: 'read-only' }, does: 'deny' }], READS, calling(), 'deny 0'],
  [[{ when: { annotation: 'destructive' }, does: 'allow' }], DESTROYS, calling(), 'allow 0'],
  [[{ when: { annotation: 'destructive' }, does: 'allow' }], READS, calling(), 'allow'],
  [[{ when: { annotation: 'destructive' }, does: 'deny' }], {}, calling(), 'ask'],
  // Who calls, and when.
  [[{ when: { source: SRC }, does: 'allow' }], {}, calling(), 'allow 0'],
  [[{ when: { source: SRC }, does: 'allow' }], {}, calling('{}', { sourceId: 'src_other' }), 'ask'],
  [[{ when: { agent: 'Claude*' }, does: 'deny' }], {}, calling(), 'deny 0'],
  [[{ when: { agent: 'Claude*' }, does: 'deny' }], READS, calling('{}', { agent: undefined }), 'allow'],
  [[{ when: { time: { from: '11:00', to: '13:00' } }, does: 'allow' }], {}, calling(), 'allow 0'],
  [[{ when: { time: { from: '13:00', to: '11:00' } }, does: 'allow' }], {}, calling(), 'ask'],
  [[{ when: { days: ['wed'] }, does: 'allow' }], {}, calling(), 'allow 0'],
  [[{ when: { days: ['thu'] }, does: 'allow' }], {}, calling(), 'ask'],
  // Nothing passes, and nothing is denied, by what is not known.
  [[{ when: { annotation: 'read-only' }, does: 'allow' }], undefined, calling(), 'ask 0'],
  [
    [
      { when: { annotation: 'destructive' }, does: 'deny' },
      { tool: '*', does: 'allow' },
    ],
    undefined,
    calling(),
    'ask 0',
  ],
  [
    [
      { when: tmp, does: 'deny' },
      { tool: '*', does: 'allow' },
    ],
    {},
    calling('{"path":"/etc","path":"/tmp/a"}'),
    'ask 0',
  ],
  [
    [
      { when: tmp, does: 'deny' },
      { tool: '*', does: 'allow' },
    ],
    {},
    calling(''),
    'ask 0',
  ],
  [
    [
      { when: { tool: 'other', annotation: 'destructive' }, does: 'deny' },
      { tool: '*', does: 'allow' },
    ],
    undefined,
    calling(),
    'allow 1',
  ],
  // Before a call is made.
  [[{ tool: 'write', when: tmp, does: 'allow' }], READS, undefined, 'ask 0'],
  [
    [
      { tool: 'read', when: tmp, does: 'allow' },
      { tool: '*', does: 'deny' },
    ],
    READS,
    undefined,
    'deny 1',
  ],
  [
    [
      { tool: '*', does: 'deny' },
      { tool: 'write', when: tmp, does: 'allow' },
    ],
    READS,
    undefined,
    'deny 0',
  ],
  [[{ when: { annotation: 'read-only' }, does: 'deny' }], READS, undefined, 'deny 0'],
  [[{ when: { source: SRC }, does: 'allow' }], READS, undefined, 'ask 0'],
  [[{ when: { days: ['wed'] }, does: 'allow' }], READS, undefined, 'ask 0'],
];

test('[POL1] a rule of a gate fits by the conditions of every rule, and what is not known asks', () => {
  deepStrictEqual(
    CASES.map(([rules, tool, call]) => found(rules, tool, call)),
    CASES.map(([, , , becomes]) => becomes),
  );
});

test('what a tool says of itself is read where a rule looks at it, and only there', () => {
  const byName = (...rules: object[]) => decidedByName(list(...rules), 'write', calling('{"path":"/tmp/a"}'));
  deepStrictEqual(
    [
      byName({ tool: 'write', when: tmp, does: 'allow' }),
      byName({ when: { ...tmp, annotation: 'destructive' }, does: 'deny' }, { tool: '*', does: 'allow' }),
      byName({ when: { tool: 'read', annotation: 'destructive' }, does: 'deny' }, { tool: '*', does: 'allow' }),
      byName({ tool: 'write', when: tmp, does: 'ask' }),
    ],
    [true, false, true, false],
  );
});

test('a rule of a gate looks at the time of the place that it is given', () => {
  const rules = list({ when: { time: { from: '20:00', to: '22:00' } }, does: 'allow' });
  strictEqual(decide({ ...rules, timeZone: 'Asia/Tokyo' }, 'write', {}, calling()).does, 'allow');
  strictEqual(decide({ ...rules, timeZone: 'Europe/Berlin' }, 'write', {}, calling()).does, 'ask');
});

const SHELL = '/when/shell needs tool beside it: other tools may run a command of that name in their own way';

test('a rule of a gate names a tool once or another condition, and none that a gate knows nothing of', () => {
  const faults = (rule: object) => {
    try {
      parseOrRefuse(GateRule, { does: 'deny', ...rule });
      return [];
    } catch (error) {
      return (error as AppError).faults?.map(({ path, message }) => `${path} ${message}`);
    }
  };
  deepStrictEqual(
    [
      faults({}),
      faults({ when: {} }),
      faults({ tool: 'a', when: { tool: 'b' } }),
      ...['dialect', 'gate', 'run', 'group', 'kind', 'question', 'asked'].map(
        (name) => faults({ tool: 'a', when: { [name]: 'text' } })?.length,
      ),
      faults({ tool: 'a', when: {} }),
      faults({ when: { shell: ['ls'] }, does: 'allow' }),
      faults({ tool: '*', when: { shell: ['ls'] }, does: 'allow' }),
      faults({ when: { shell: ['ls'] } }),
    ],
    [
      ['/tool is missing'],
      ['/tool is missing'],
      ['/when/tool stands beside "tool": write one of them'],
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      [],
      [SHELL],
      [SHELL],
      [],
    ],
  );
});
