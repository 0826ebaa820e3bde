import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { parseExact, type Json } from '#shared/json.ts';
import { closedPort, serve } from '../../../platform/testing/listen.ts';
import type { CalledDecider, DeciderQuestion } from './call.ts';
import { runDecider } from './run.ts';
import { answerSchema } from './schema.ts';
import { mcpServer } from './testing/mcp-server.ts';

const OK: DeciderQuestion = {
  ask: {
    title: 'Deploy?',
    questions: [{ id: 'go', type: 'choice', prompt: 'Go?', options: [{ value: 'yes', label: 'Yes' }] }],
    context: { agent: 'Deployer', cwd: '/srv' },
  },
  sourceName: 'ci',
  person: 'Ada',
  locale: 'zh',
  examples: [{ asked: 'Deploy?', answer: 'Yes', at: '2026-11-20T07:00:00.000Z' }],
};
const YES = { answer: { values: { go: 'yes' } }, undecided: null };
const run = (decider: CalledDecider) => runDecider(decider, OK, { signal: new AbortController().signal });
const says = (text: string) => ({ content: [{ type: 'text' as const, text }] });

test('a tool gets the question, its schema, examples and instructions, and its structured result is the answer', async (t) => {
  const { decider, calls, keys } = await mcpServer(t, [{ ...says('yes'), structuredContent: YES }]);
  const { ms: _, sent, received, ...outcome } = await run(decider);
  const { context, ...question } = OK.ask;
  const args = {
    question,
    context: { source: 'ci', person: 'Ada', language: 'zh', ...context },
    examples: OK.examples,
    schema: answerSchema(OK.ask).schema,
    instructions: 'Answer as Ada would.',
  };
  deepStrictEqual([outcome, calls, [...keys]], [{ answer: YES.answer }, [args], ['Bearer sk-1']]);
  deepStrictEqual(JSON.parse(sent), { name: 'decide', arguments: args });
  match(received, /"structuredContent":\{"answer"/);
});

test('a tool gets every digit of a number as it was asked', async (t) => {
  const { decider, bodies } = await mcpServer(t, [says('no')]);
  const args = parseExact('{"id":12345678901234567890,"share":1.0}') as Json;
  const ask = { actions: [{ name: 'pay', args, allowed: ['approve' as const] }] };
  const { sent } = await runDecider(decider, { ...OK, ask }, { signal: new AbortController().signal });
  for (const text of [sent, bodies.join()]) match(text, /"args":\{"id":12345678901234567890,"share":1\.0\}/);
});

test('the text of a tool is read as JSON, and what does not fit is tried once more with the faults', async (t) => {
  const { decider, calls } = await mcpServer(t, [says('yes'), says(JSON.stringify(YES))]);
  deepStrictEqual((await run(decider)).answer, { values: { go: 'yes' } });
  deepStrictEqual(
    calls.map(({ faults }) => faults),
    [undefined, 'the reply is not JSON, or nests too deep'],
  );
});

test('a tool that fails, is not there, returns nothing, too much or nothing in time gives no answer', async (t) => {
  const never = new Promise<never>(() => {});
  const servers = [
    await mcpServer(t, [{ ...says('no'), isError: true }]),
    await mcpServer(t, [{ content: [] }]),
    await mcpServer(t, [says(' '.repeat(1_100_000))]),
    await mcpServer(t, [never]),
  ];
  const named = servers.map(({ decider, host }) => ({ decider, host }));
  const deciders = [
    ...named.map(({ decider }, at) => (at === 3 ? { ...decider, timeoutSeconds: 0.5 } : decider)),
    { ...(servers[0]?.decider as CalledDecider), tool: 'other' },
    { ...(servers[0]?.decider as CalledDecider), tool: `sk-1\0${'x'.repeat(3_000)}` },
  ];
  const hosts = new RegExp(named.map(({ host }) => host).join('|'));
  const outcomes = [];
  for (const decider of deciders) outcomes.push(await run(decider));
  deepStrictEqual(
    outcomes.map(({ answer, problem }) => answer ?? problem?.replace(hosts, 'HOST').slice(0, 90)),
    [
      'The tool "decide" at HOST failed: look at what it returned.',
      'Ada gave no answer that fits, twice: the reply is not JSON, or nests too deep.',
      'HOST replies more than 1 MiB: check the address.',
      'Ada gave no answer within 0.5 seconds: see that it runs, or give it more time.',
      'HOST gives no answer over MCP (Tool other not found): check the address and the tool.',
      `HOST gives no answer over MCP (Tool …\uFFFD${'x'.repeat(100)}`.slice(0, 90),
    ],
  );
  strictEqual(outcomes.at(-1)?.problem?.length, 1000);
});

test('an address that is no MCP server, redirects or refuses the key gives no answer', async (t) => {
  let answer: [number, Record<string, string>?] = [200];
  const address = await serve(t, (_request, response) => response.writeHead(...answer).end('hello'));
  const { decider } = await mcpServer(t, []);
  const problems = [];
  const answers: [number, Record<string, string>?][] = [
    [200],
    [401],
    [500],
    [307, { location: 'http://127.0.0.1:1/' }],
  ];
  for (const one of answers) {
    answer = one;
    const { problem } = await run({ ...decider, url: `${address}/mcp` });
    problems.push(problem?.replace(new URL(address).host, 'HOST'));
  }
  deepStrictEqual(problems, [
    'HOST gives no answer over MCP (Unexpected content type: null): check the address and the tool.',
    'HOST refuses the key (401): give the decider another one.',
    'HOST fails (500): try again later.',
    'HOST sends the hub elsewhere: give the decider the address it points to.',
  ]);
  const closed = await closedPort();
  deepStrictEqual(
    (await run({ ...decider, url: `http://127.0.0.1:${closed}/mcp` })).problem,
    `127.0.0.1:${closed} cannot be reached (connection refused): check the address, and that it runs.`,
  );
});
