import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Gate, GateRule } from '#shared/gate.ts';
import { changeOf, withRule } from './rules.ts';
import { changeOfWritten, writtenOf } from './written.ts';

const gate: Gate = {
  name: 'files',
  url: 'https://hub.example/mcp/gate/files',
  from: 'api',
  upstream: { url: 'https://files.example/mcp', headerNames: ['authorization'] },
  rules: [{ tool: 'read_*', does: 'allow' }],
  otherwise: 'ask',
  elicitation: 'client',
  deadline: 600,
  sources: ['src_1'],
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
  deepStrictEqual(changeOf(gate, { rules }), {
    upstream: { url: 'https://files.example/mcp' },
    rules: [],
    otherwise: 'ask',
    elicitation: 'client',
    deadline: 600,
    sources: ['src_1'],
  });
});

test('the form sends what was written, and the stored credential stays when none was', () => {
  const written = { ...writtenOf(gate), to: 'mara, ops', minutes: '1.5' };
  const change = {
    upstream: { url: 'https://files.example/mcp' },
    to: ['mara', 'ops'],
    sources: ['src_1'],
    rules: gate.rules,
    otherwise: 'ask',
    elicitation: 'client',
    deadline: 90,
  };
  deepStrictEqual(changeOfWritten(written, gate), change);
  deepStrictEqual(changeOfWritten({ ...written, credential: ' Bearer x ' }, gate).upstream, {
    url: 'https://files.example/mcp',
    headers: { authorization: 'Bearer x' },
  });
});
