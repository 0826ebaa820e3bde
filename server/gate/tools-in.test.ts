import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { decide } from '../policies/decide.ts';
import { toolsIn } from './tools-in.ts';

test('what is no tool is left out, and of a member that is something else nothing is known', () => {
  const inputSchema = { type: 'object' };
  const whole = { name: 'whole', title: 'T', description: 'D', inputSchema, annotations: { readOnlyHint: true } };
  const listed = [
    null,
    5,
    'text',
    [],
    {},
    { name: 5, annotations: { readOnlyHint: true } },
    { name: 'odd', title: {}, description: 5, inputSchema: 5, outputSchema: [], annotations: 'harmless' },
    { name: 'hinted', annotations: { readOnlyHint: 'true', destructiveHint: 0 }, inputSchema: null },
    { ...whole, more: [1] },
  ];
  const tools = toolsIn(listed);
  deepStrictEqual(
    tools.map((tool) => JSON.stringify(tool)),
    ['{"name":"odd"}', '{"name":"hinted","annotations":{}}', JSON.stringify(whole)],
  );
  const gate = { rules: [], otherwise: 'annotations' as const };
  deepStrictEqual(
    tools.map((tool) => {
      const verdict = decide(gate, tool.name, tool);
      return verdict.does === 'ask' ? verdict.caution : verdict.does;
    }),
    [true, true, 'allow'],
  );
  deepStrictEqual([undefined, null, 5, {}, 'x'].map(toolsIn), [[], [], [], [], []]);
});
