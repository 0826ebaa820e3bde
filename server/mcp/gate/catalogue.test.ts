import { deepStrictEqual, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import type { Tool } from '@modelcontextprotocol/client';
import { pino } from 'pino';
import { decide } from '../../automation/rules/decide.ts';
import { createCatalogue, toolsIn } from './catalogue.ts';
import type { GateConfig } from './config/store.ts';

const gate = (changedAt = 0): GateConfig => ({
  name: 'g',
  from: 'api',
  upstream: { url: 'http://127.0.0.1:9', headers: {} },
  rules: [],
  otherwise: 'annotations',
  elicitation: 'client',
  deadline: 60,
  changedAt,
});

function scene(read: () => Promise<Tool[]>) {
  const clock = { now: 0, reads: 0 };
  const catalogue = createCatalogue({
    read: () => {
      clock.reads += 1;
      return read();
    },
    log: pino({ level: 'silent' }),
    now: () => clock.now,
  });
  return { clock, catalogue };
}

test('tools are read once a minute and once at a time, and again when the gate or its list changed', async () => {
  const { clock, catalogue } = scene(async () => [{ name: 't', inputSchema: { type: 'object' } }]);
  await Promise.all([catalogue.tool(gate(), 't'), catalogue.tool(gate(), 'u')]);
  const reads = [clock.reads];
  const after = async (change: () => void, changedAt = 0): Promise<void> => {
    change();
    await catalogue.tool(gate(changedAt), 't');
    reads.push(clock.reads);
  };
  await after(() => (clock.now = 59_999));
  await after(() => (clock.now = 60_001));
  await after(() => catalogue.forget('g'));
  await after(() => undefined, 1);
  deepStrictEqual(reads, [1, 1, 2, 3, 4]);
});

test('an upstream that cannot be asked has no known tool, and is left alone for a moment', async () => {
  const { clock, catalogue } = scene(async () => {
    throw new Error('connection refused');
  });
  deepStrictEqual(
    [await catalogue.tool(gate(), 't'), await catalogue.tool(gate(), 't'), clock.reads],
    [undefined, undefined, 1],
  );
  clock.now = 30_001;
  await rejects(catalogue.tools(gate()), {
    status: 424,
    message: 'The MCP server behind the gate "g" did not say which tools it has: connection refused.',
  });
  deepStrictEqual(clock.reads, 2);
});

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

test('[POL1] a name that is only another spelling of a listed one finds that tool, so that its call is refused', async () => {
  const named = (name: string) => ({ name, inputSchema: { type: 'object' as const } });
  const { catalogue } = scene(async () => [named('Echo'), named('echo'), named('drop')]);
  const found = await Promise.all(['echo', 'ECHO', ' drop', 'other'].map((name) => catalogue.tool(gate(), name)));
  deepStrictEqual(
    found.map((one) => one?.name),
    ['echo', 'Echo', 'drop', undefined],
  );
  deepStrictEqual(decide(gate(), ' drop', found[2]).does, 'deny');
});
