import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { GateRule } from '#shared/gate.ts';
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
