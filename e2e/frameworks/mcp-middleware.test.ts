import { deepStrictEqual, match, ok, rejects } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as FirstTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer as FirstServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { withPeople, type HeldTools } from 'beckon/client/mcp';
import { z } from 'zod';
import { answer, asked, nothingAsked } from '../gate/people.ts';
import { type Hub, startHub } from '../hub/hub.ts';
import { addSource, type Device, ownerDevice } from '../hub/people.ts';
import { until } from '../hub/until.ts';
import { type Options, type ToolResult, wordsOf } from '../mcp/clients.ts';

const table = z.object({ table: z.string() });
const ABOUT = { name: 'records', version: '1' };
type Ran = string[];
type Call = (name: string, args: object, options?: Options) => Promise<ToolResult>;
type Line = (options: HeldTools, ran: Ran) => Promise<{ call: Call; close(): Promise<void> }>;

/** Servers of both lines of the official SDK whose tools are held by people, each with a client. */
const LINES: Record<string, Line> = {
  async 'SDK 1'(options, ran) {
    const server = new FirstServer(ABOUT);
    for (const [name, config] of TOOLS)
      server.registerTool(name, { ...config, inputSchema: table.shape }, (args) => done(ran, name, args));
    withPeople(server, options);
    const [ours, theirs] = FirstTransport.createLinkedPair();
    await server.connect(theirs);
    const client = new FirstClient(ABOUT);
    await client.connect(ours);
    const call: Call = async (name, args, how) =>
      (await client.callTool({ name, arguments: { ...args } }, undefined, how as never)) as ToolResult;
    return { call, close: () => client.close() };
  },
  async 'SDK 2, 2025-11-25'(options, ran) {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await second(options, ran).connect(theirs);
    return connected(new Client(ABOUT, { versionNegotiation: { mode: 'legacy' } }), ours);
  },
  async 'SDK 2, 2026-07-28'(options, ran) {
    const handler = createMcpHandler(() => second(options, ran), { legacy: 'reject', responseMode: 'sse' });
    const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
      fetch: (url, init) => handler.fetch(new Request(url, init)),
    });
    return connected(new Client(ABOUT, { versionNegotiation: { mode: { pin: '2026-07-28' } } }), transport);
  },
};
const DESCRIPTION = 'Deletes all records of a table.';
const TOOLS: [name: string, config: object][] = [
  ['delete_records', { description: DESCRIPTION }],
  ['list_records', { annotations: { readOnlyHint: true } }],
];

/** Held before it has any tool. */
function second(options: HeldTools, ran: Ran): McpServer {
  const server = withPeople(new McpServer(ABOUT, { capabilities: { tools: {} } }), options);
  for (const [name, config] of TOOLS)
    server.registerTool(name, { ...config, inputSchema: table }, (args) => done(ran, name, args));
  return server;
}

async function connected(client: Client, transport: Parameters<Client['connect']>[0]) {
  await client.connect(transport);
  const call: Call = async (name, args, how) =>
    (await client.callTool({ name, arguments: { ...args } }, how as never)) as ToolResult;
  return { call, close: () => client.close() };
}

function done(ran: Ran, name: string, args: { table: string }) {
  ran.push(`${name} ${args.table}`);
  return { content: [{ type: 'text' as const, text: `Did ${args.table}.` }] };
}

describe('an MCP server whose tools people hold', { timeout: 60_000 }, () => {
  let hub: Hub;
  let owner: Device;
  let asks: HeldTools;
  before(async () => {
    hub = await startHub();
    owner = await ownerDevice(hub);
    asks = { url: hub.url, apiKey: (await addSource(hub, owner, 'Records')).key };
  });
  after(() => hub?.remove());

  for (const [line, open] of Object.entries(LINES)) {
    test(`[DIA1] ${line}: approved, edited and rejected calls, each decided by itself; what only reads asks nobody`, async (t) => {
      const ran: Ran = [];
      const { call, close } = await open(asks, ran);
      t.after(close);
      deepStrictEqual(wordsOf(await call('list_records', { table: 'all' })), 'Did all.');
      const results = Promise.all(['old', 'new', 'gone'].map((one) => call('delete_records', { table: one })));
      const open3 = await asked(hub, owner, 3);
      deepStrictEqual([ran, open3[0].actions?.[0]?.description], [['list_records all'], DESCRIPTION]);
      const about = (one: string) => open3.find(({ actions }) => JSON.stringify(actions?.[0]?.args).includes(one))!;
      await answer(hub, owner, about('new'), { decisions: [{ type: 'reject', message: 'Keep it.' }] });
      await answer(hub, owner, about('gone'), { decisions: [{ type: 'edit', argsText: '{"table": "lost"}' }] });
      await answer(hub, owner, about('old'), { decisions: [{ type: 'approve' }] });
      const [old, rejected, edited] = await results;
      deepStrictEqual([wordsOf(old!), wordsOf(edited!), rejected!.isError], ['Did old.', 'Did lost.', true]);
      match(wordsOf(rejected!), /Keep it\./);
      deepStrictEqual(ran.slice(1).toSorted(), ['delete_records lost', 'delete_records old']);
    });

    test(`[DIA1] ${line}: a client that asked for progress hears that a person decides`, async (t) => {
      const { call, close } = await open(asks, []);
      t.after(close);
      t.mock.timers.enable({ apis: ['setInterval'] });
      const heard: unknown[] = [];
      const result = call('delete_records', { table: 'old' }, { onprogress: ({ message }) => heard.push(message) });
      const [inquiry] = await asked(hub, owner);
      t.mock.timers.tick(10_000);
      await until('progress', () => heard.length > 0);
      await answer(hub, owner, inquiry, { decisions: [{ type: 'approve' }] });
      deepStrictEqual([wordsOf(await result), heard], ['Did old.', ['Waiting for a person to decide.']]);
    });

    test(`[RES4] [DIA1] ${line}: a declined call does not run, a cancelled one takes its question back, and without a hub it fails`, async (t) => {
      const ran: Ran = [];
      const { call, close } = await open({ ...asks, tools: ['delete_records'] }, ran);
      t.after(close);
      const declined = call('delete_records', { table: 'old' });
      const [first] = await asked(hub, owner);
      await answer(hub, owner, first, { outcome: 'declined' });
      ok((await declined).isError);
      const stop = new AbortController();
      const cancelled = rejects(call('delete_records', { table: 'new' }, { signal: stop.signal }));
      await asked(hub, owner);
      stop.abort();
      await cancelled;
      await nothingAsked(hub, owner);
      const lost = await open({ ...asks, url: 'http://127.0.0.1:9', giveUpMs: 1 }, ran);
      t.after(lost.close);
      const failed = await lost.call('delete_records', { table: 'old' }).then(wordsOf, String);
      match(failed, /The hub at http:\/\/127\.0\.0\.1:9 was not reached/);
      deepStrictEqual(ran, []);
    });
  }

  test('[DIA1] a proxy, whose one handler is for whatever comes, is held too', async (t) => {
    const ran: Ran = [];
    const server = withPeople(new Server(ABOUT, { capabilities: { tools: {} } }), asks);
    server.fallbackRequestHandler = ({ method, params }) => {
      if (method === 'tools/list') return Promise.resolve({ tools: [] });
      return Promise.resolve(done(ran, String(params?.['name']), (params?.['arguments'] ?? {}) as { table: string }));
    };
    const [ours, theirs] = FirstTransport.createLinkedPair();
    await server.connect(theirs);
    const client = new FirstClient(ABOUT);
    await client.connect(ours);
    t.after(() => client.close());
    const called = client.callTool({ name: 'delete_records', arguments: { table: 'old' } });
    const [inquiry] = await asked(hub, owner);
    await answer(hub, owner, inquiry, { decisions: [{ type: 'reject', message: 'No.' }] });
    deepStrictEqual([(await called).isError, ran], [true, []]);
  });

  test('[DIA1] what is no server of the SDK is refused at once', async () => {
    await rejects(async () => withPeople({}, asks), TypeError);
  });
});
