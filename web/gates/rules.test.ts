import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Gate, GateRule } from '#shared/policies/gate.ts';
import { splitPieces, saySentence } from '../policies/sentence/sentence.ts';
import { toChange, spoken, withRule } from './rules.ts';
import { changeOfWritten, toWritten } from './written.ts';

const KEPT = { sources: ['src_1'], validFor: 5, approvals: { count: 2 }, receipt: true };
const gate: Gate = {
  name: 'files',
  url: 'https://hub.example/mcp/gate/files',
  from: 'api',
  upstream: { url: 'https://files.example/mcp', headerNames: ['authorization'] },
  rules: [{ tool: 'read_*', does: 'allow' }],
  otherwise: 'ask',
  elicitation: 'client',
  deadline: 600,
  ...KEPT,
};

test('a rule for one tool stands before every pattern, and changing it keeps what it said besides', () => {
  const one = withRule(gate.rules, 'write', { does: 'ask', allowed: ['approve', 'reject'] });
  deepStrictEqual(one, [
    { tool: 'write', does: 'ask', allowed: ['approve', 'reject'] },
    { tool: 'read_*', does: 'allow' },
  ]);
  deepStrictEqual(withRule(one, 'write', { does: 'deny' }), [
    { tool: 'write', does: 'deny', allowed: ['approve', 'reject'] },
    { tool: 'read_*', does: 'allow' },
  ]);
  deepStrictEqual(withRule(one, 'write', undefined), gate.rules);
});

test('a new pattern counts after the patterns that were there', () => {
  deepStrictEqual(withRule(gate.rules, '*', { does: 'deny' }), [
    { tool: 'read_*', does: 'allow' },
    { tool: '*', does: 'deny' },
  ]);
});

test('changing the rules sends the rest as it stands, and no credential', () => {
  const rules: GateRule[] = [];
  deepStrictEqual(toChange(gate, { rules }), {
    upstream: { url: 'https://files.example/mcp' },
    rules: [],
    otherwise: 'ask',
    elicitation: 'client',
    deadline: 600,
    ...KEPT,
  });
});

test('the form sends what was written, and the stored credential stays when none was', () => {
  const written = { ...toWritten(gate), to: 'mara, ops', minutes: '1.5', holds: '90' };
  const change = {
    upstream: { url: 'https://files.example/mcp' },
    to: ['mara', 'ops'],
    ...KEPT,
    validFor: 90,
    rules: gate.rules,
    otherwise: 'ask',
    elicitation: 'client',
    deadline: 90,
  };
  deepStrictEqual(changeOfWritten(written, gate), change);
  const { validFor: _holds, approvals: _people, receipt: _receipt, ...plain } = change;
  deepStrictEqual(changeOfWritten({ ...written, holds: ' ', people: '1', receipt: 'no' }, gate), plain);
  deepStrictEqual(changeOfWritten({ ...written, credential: ' Bearer x ' }, gate).upstream, {
    url: 'https://files.example/mcp',
    headers: { authorization: 'Bearer x' },
  });
});

const inTmp: GateRule = { tool: 'write', when: { args: { '/path': { under: '/tmp' } } }, does: 'allow' };
const never: GateRule = { when: { annotation: 'destructive' }, does: 'deny' };

test('a rule with conditions stays, and counts before what is set for a tool as it did before', () => {
  const write = (does: GateRule['does']): GateRule => ({ tool: 'write', does });
  const anything: GateRule = { tool: '*', does: 'deny' };
  deepStrictEqual(withRule([inTmp, never], 'write', { does: 'ask' }), [inTmp, never, write('ask')]);
  deepStrictEqual(withRule([inTmp, anything, never], 'write', { does: 'ask' }), [inTmp, write('ask'), anything, never]);
  deepStrictEqual(withRule([write('ask'), inTmp], 'write', { does: 'deny' }), [write('deny'), inTmp]);
  deepStrictEqual(withRule([anything, inTmp, write('ask')], 'write', { does: 'deny' }), [
    write('deny'),
    anything,
    inTmp,
  ]);
  deepStrictEqual(withRule([inTmp, write('ask')], 'write', undefined), [inTmp]);
  deepStrictEqual(withRule([never], 'read_*', { does: 'allow' }), [never, { tool: 'read_*', does: 'allow' }]);
});

test('a rule with conditions is told in the sentence of all rules', () => {
  const told = (rule: GateRule) =>
    splitPieces(saySentence(spoken(rule), { language: 'en', now: 0, nameOf: (id) => id }))
      .map(({ text }) => text)
      .join('');
  deepStrictEqual(
    [told(inTmp), told(never), told({ ...never, reason: 'Never.' })],
    [
      'When any source calls write, and path is /tmp or a path below it, approve it.',
      'When any source asks anything, and the tool says that it destroys, reject it.',
      'When any source asks anything, and the tool says that it destroys, reject it with the words Never.',
    ],
  );
});
