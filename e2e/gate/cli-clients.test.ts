import { deepStrictEqual, rejects } from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { startHub, type Hub } from '../hub/hub.ts';
import { addSource, ownerDevice, type Device } from '../hub/people.ts';
import { until } from '../hub/until.ts';
import { asked, decide, nothingAsked } from './people.ts';
import { said } from './raw.ts';
import { CHILD, runs, wrapping } from './wrapped.ts';

const LINES = ['SDK 1', 'SDK 2, 2025-11-25', 'SDK 2, 2026-07-28'] as const;
type Line = (typeof LINES)[number];
type Call = (name: string, args?: object, options?: object) => Promise<unknown>;
type Connected = { call: Call; tools(): Promise<string[]>; close(): Promise<void> };
const about = { name: 'test-agent', version: '1.0.0' };

describe('official clients before a server that beckon gate wraps', { timeout: 120_000 }, () => {
  let hub: Hub;
  let owner: Device;
  let key: string;
  before(async () => {
    hub = await startHub();
    owner = await ownerDevice(hub);
    ({ key } = await addSource(hub, owner, 'Coder'));
  });
  after(() => hub?.remove());

  async function connect(
    t: TestContext,
    line: Line,
    env: Record<string, string>,
    options: string[] = [],
  ): Promise<Connected> {
    const server = { ...wrapping(options, CHILD.modern, env), stderr: 'ignore' as const };
    if (line === 'SDK 1') {
      const client = new FirstClient(about);
      await client.connect(new FirstTransport(server) as never);
      t.after(() => client.close());
      return {
        call: (name, args = {}, options = {}) => client.callTool({ name, arguments: { ...args } }, undefined, options),
        tools: async () => (await client.listTools()).tools.map(({ name }) => name),
        close: () => client.close(),
      };
    }
    const mode = line.endsWith('2026-07-28') ? { pin: '2026-07-28' } : 'legacy';
    const client = new Client(about, { versionNegotiation: { mode } });
    await client.connect(new StdioClientTransport(server));
    t.after(() => client.close());
    return {
      call: (name, args = {}, options = {}) => client.callTool({ name, arguments: { ...args } }, options),
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      close: () => client.close(),
    };
  }

  for (const line of LINES) {
    test(`${line}: what asks is held and what reads passes, with cancels and lists`, async (t) => {
      const { call, tools, close } = await connect(t, line, { BECKON_URL: hub.url, BECKON_KEY: key, TOKEN: 'own' });
      const edited = call('note', { text: 'a' });
      await decide(hub, owner, (await asked(hub, owner))[0], { type: 'edit', argsText: '{"text":"b"}' });
      deepStrictEqual(said(await edited), 'noted b\nA person changed the arguments before this ran: {"text":"b"}');

      await call('grow', { name: 'grown' });
      deepStrictEqual((await tools()).includes('grown'), true);

      const controller = new AbortController();
      const begun = Promise.withResolvers<void>();
      const { signal } = controller;
      const taken = [
        call('note', { text: 'c' }, { signal }),
        call('wait', {}, { signal, onprogress: () => begun.resolve() }),
      ].map((one) => rejects(one));
      await Promise.all([asked(hub, owner), begun.promise]);
      controller.abort(new Error('enough'));
      await Promise.all(taken);
      await nothingAsked(hub, owner);
      await until('the server to hear of it', async () => said(await call('cancels')) === '1');

      const own = JSON.parse(said(await call('environment'))) as Record<string, string>;
      deepStrictEqual([own['TOKEN'], own['BECKON_KEY']], ['own', undefined]);
      const pid = Number(said(await call('pid')));
      await close();
      await until('the server to end', () => !runs(pid));
    });
  }

  for (const line of LINES) {
    test(`[ASK5] ${line}: with --wait a call returns undecided, and the same call finds its question`, async (t) => {
      const { call } = await connect(t, line, { BECKON_URL: hub.url, BECKON_KEY: key }, ['--wait', '0.3']);
      const note = async () => said(await call('note', { text: 'z' }));
      const isUndecided = (words: string) =>
        words.startsWith('A person has not decided about this call yet; it was not');
      deepStrictEqual([await note(), await note()].map(isUndecided), [true, true]);
      await decide(hub, owner, (await asked(hub, owner))[0], { type: 'approve' });
      let words = await note();
      while (isUndecided(words)) words = await note();
      deepStrictEqual(words, 'noted z');
      await nothingAsked(hub, owner);
    });
  }

  test('without a key it is the hub’s own machine that asks', async (t) => {
    const { call } = await connect(t, 'SDK 2, 2026-07-28', { DATA_DIR: hub.dataDir, PORT: new URL(hub.url).port });
    const noted = call('note', { text: 'x' });
    const [inquiry] = await asked(hub, owner);
    deepStrictEqual([inquiry.source.name, inquiry.context?.agent], ['Command line', 'test-agent']);
    await decide(hub, owner, inquiry, { type: 'approve' });
    deepStrictEqual(said(await noted), 'noted x');
  });
});
