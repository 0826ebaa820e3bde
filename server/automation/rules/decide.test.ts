import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { GateRule } from '#shared/policies/gate.ts';
import { decide, decidedByName, type AboutTool, type Verdict } from './decide.ts';

const tool = (more: object = {}): AboutTool => ({ inputSchema: { type: 'object' }, ...more });
const gate = (rules: GateRule[] = [], otherwise: 'annotations' | 'ask' | 'allow' | 'deny' = 'annotations') => ({
  rules,
  otherwise,
});
const asked = (verdict: Verdict) => (verdict.does === 'ask' ? [verdict.does, verdict.caution] : [verdict.does]);

test('without a rule a tool that says it only reads passes, one that may destroy asks with caution', () => {
  const verdicts = [
    decide(gate(), 't', tool({ annotations: { readOnlyHint: true } })),
    decide(gate(), 't', tool({ annotations: { destructiveHint: false } })),
    decide(gate(), 't', tool({ annotations: { destructiveHint: true } })),
    decide(gate(), 't', tool()),
    decide(gate(), 't'),
    decide(gate([], 'allow'), 't'),
    decide(gate([], 'deny'), 't'),
    decide(gate([], 'ask'), 't', tool({ annotations: { readOnlyHint: true } })),
  ];
  deepStrictEqual(verdicts.map(asked), [
    ['allow'],
    ['ask', false],
    ['ask', true],
    ['ask', true],
    ['ask', true],
    ['allow'],
    ['deny'],
    ['ask', false],
  ]);
});

test('the first rule that fits counts, with its own words, decisions and schema', () => {
  const argsSchema = { type: 'object', required: ['to'] };
  const rules: GateRule[] = [
    { tool: 'send_*', does: 'ask', allowed: ['approve'], description: 'Sends it', argsSchema, caution: false },
    { tool: 'send_all', does: 'allow' },
    { tool: 'drop', does: 'deny', reason: 'Never.' },
  ];
  deepStrictEqual(decide(gate(rules), 'send_all', tool({ description: 'Its own' })), {
    rule: 0,
    does: 'ask',
    allowed: ['approve'],
    caution: false,
    description: 'Sends it',
    argsSchema,
  });
  deepStrictEqual(decide(gate(rules), 'drop'), { rule: 2, does: 'deny', text: 'Never.' });
  deepStrictEqual(
    [decidedByName(gate(rules), 'drop'), decidedByName(gate(rules), 'send_x'), decidedByName(gate(), 'other')],
    [true, false, false],
  );
});

test('[POL1] a name that is only another spelling of one that a rule or the server names is refused', () => {
  const rules: GateRule[] = [
    { tool: 'drop_*', does: 'ask' },
    { when: { tool: ['Read'] }, does: 'allow' },
  ];
  const becomes = (name: string, listed?: string) => {
    const verdict = decide(gate(rules, 'allow'), name, listed === undefined ? undefined : tool({ name: listed }));
    return verdict.does === 'deny' ? verdict.text : verdict.does;
  };
  deepStrictEqual(
    [
      becomes('Drop_all'),
      becomes('read\u200b'),
      becomes('write'),
      becomes('write ', 'write'),
      becomes('drop_x', 'drop_x'),
    ],
    [
      'Drop_all is another spelling of drop_*: call it by that name.',
      'read[U+200B] is another spelling of Read: call it by that name.',
      'allow',
      'write  is another spelling of write: call it by that name.',
      'ask',
    ],
  );
  deepStrictEqual(decidedByName(gate(rules, 'annotations'), 'READ'), true);
});
