import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, test, type TestContext } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { AnswerReply } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { must } from '../hub/call.ts';
import { BUNDLE } from '../bundle.ts';
import { environment, type Hub, startHub } from '../hub/hub.ts';
import { addSource, type Device, ownerDevice } from '../hub/people.ts';
import { until } from '../hub/until.ts';
import { LINES, type Line, type Options, type ToolResult } from './clients.ts';

const KEEPS = { resetTimeoutOnProgress: true, onprogress: () => undefined };

describe('beckon mcp', { timeout: 240_000 }, () => {
  let hub: Hub;
  let owner: Device;
  let key: string;
  before(async () => {
    hub = await startHub();
    owner = await ownerDevice(hub);
    ({ key } = await addSource(hub, owner, 'Local agent'));
  });
  after(() => hub?.remove());

  type Agent = {
    call(name: string, args: Record<string, unknown>, options?: Options): Promise<ToolResult>;
    tools(): Promise<{ name: string; description?: string | undefined }[]>;
    close(): Promise<void>;
  };

  async function connect(
    t: TestContext,
    line: Line,
    { args = [], env = { BECKON_KEY: key } }: { args?: string[]; env?: Record<string, string> } = {},
  ): Promise<Agent> {
    const about = { name: 'local-agent', version: '1.0.0' };
    const server = {
      command: process.execPath,
      args: [BUNDLE.command, 'mcp', ...args],
      env: environment({ BECKON_URL: hub.url, ...env }) as Record<string, string>,
      stderr: 'ignore' as const,
    };
    const client =
      line === 'SDK 1'
        ? new FirstClient(about)
        : new Client(about, {
            versionNegotiation: { mode: line.endsWith('2026-07-28') ? { pin: '2026-07-28' } : 'legacy' },
          });
    t.after(() => client.close());
    await client.connect((line === 'SDK 1' ? new FirstTransport(server) : new StdioClientTransport(server)) as never);
    const callTool = client.callTool.bind(client) as (...input: unknown[]) => Promise<unknown>;
    return {
      call: async (name, args, options) =>
        (await (line === 'SDK 1'
          ? callTool({ name, arguments: args }, undefined, options)
          : callTool({ name, arguments: args }, options))) as ToolResult,
      tools: async () => (await client.listTools()).tools,
      close: () => client.close(),
    };
  }

  const asked = (prompt: string): Promise<Inquiry> =>
    until(`"${prompt}" on the device`, async () => {
      const { items } = await must<{ items: Inquiry[] }>(hub, 'GET /v1/inbox', { token: owner.token });
      return items.find((inquiry) => inquiry.prompt === prompt);
    });
  const answer = ({ id }: Inquiry, text: string) =>
    must<AnswerReply>(hub, `POST /v1/inquiries/${id}/answer`, { token: owner.token, body: { text } });
  const read = ({ id }: Inquiry) => must<Inquiry>(hub, `GET /v1/inquiries/${id}`, { token: owner.token });
  const textOf = ({ content }: ToolResult) => content.map(({ text }) => text).join('\n');

  test('local agents have their answers over a restart and a power cut of the hub, with official clients', async (t) => {
    const prompts = LINES.map((line) => `Still there, ${line}?`);
    const calls = await Promise.all(
      LINES.map(async (line, at) => {
        const agent = await connect(t, line);
        return { said: agent.call('send_inquiry', { prompt: prompts[at] }, KEEPS).then(textOf) };
      }),
    );
    const inquiries = await Promise.all(prompts.map(asked));
    await hub.stop();
    await hub.start();
    await hub.kill();
    await hub.start();
    const open = await Promise.all(prompts.map(asked));
    deepStrictEqual(
      open.map(({ id }) => id),
      inquiries.map(({ id }) => id),
    );
    await Promise.all(inquiries.map((inquiry) => answer(inquiry, `yes to ${inquiry.prompt}`)));
    deepStrictEqual(
      await Promise.all(calls.map(({ said }) => said)),
      prompts.map((prompt) => `yes to ${prompt}`),
    );
  });

  for (const line of LINES) {
    test(`a cancel withdraws the inquiry (${line})`, async (t) => {
      const agent = await connect(t, line);
      const prompt = `Cancelled, ${line}?`;
      const cancelled = new AbortController();
      const calling = agent.call('send_inquiry', { prompt }, { ...KEEPS, signal: cancelled.signal }).catch(() => {});
      const inquiry = await asked(prompt);
      cancelled.abort();
      await calling;
      const { resolution } = await until('the withdrawal', async () => {
        const now = await read(inquiry);
        return now.resolution && now;
      });
      strictEqual(resolution?.outcome, 'withdrawn');
    });
  }

  test('an agent that ends takes its questions along', async (t) => {
    const agent = await connect(t, 'SDK 1');
    void agent.call('send_inquiry', { prompt: 'Ended?' }, KEEPS).catch(() => {});
    const inquiry = await asked('Ended?');
    await agent.close();
    const resolution = await until('the withdrawal', async () => (await read(inquiry)).resolution);
    deepStrictEqual([resolution.outcome, resolution.message], ['withdrawn', 'its asker is gone']);
  });

  test('options of the command line set what a query sets, and without a key the machine itself asks', async (t) => {
    const args = ['--description', 'Ask the weather', '--deadline', '3600', '--to', 'owner'];
    const agent = await connect(t, 'SDK 2, 2026-07-28', { args, env: { DATA_DIR: hub.dataDir } });
    const [asking] = await agent.tools();
    strictEqual(asking?.description, 'Ask the weather');
    const calling = agent.call('send_inquiry', { prompt: 'Weather?' }, KEEPS);
    const inquiry = await asked('Weather?');
    deepStrictEqual(
      [inquiry.source.name, Date.parse(inquiry.deadlineAt) - Date.parse(inquiry.openedAt)],
      ['Command line', 3_600_000],
    );
    await answer(inquiry, 'rain');
    strictEqual(textOf(await calling), 'rain');
  });

  test('what cannot be is said in one sentence: a strange option, a hub that is not there, a key that is not known', async () => {
    const { code, out, err } = await hub.cli('mcp', '--wait', 'soon');
    deepStrictEqual([code, out, /^--wait takes seconds.*\n$/.test(err)], [2, '', true]);
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    };
    const say = async (env: Record<string, string>) => {
      const child = spawn(process.execPath, [BUNDLE.command, 'mcp'], { env: environment(env) });
      let words = '';
      child.stdout.on('data', (chunk) => (words += String(chunk)));
      child.stdin.write(`${JSON.stringify(initialize)}\nnot json\n`);
      await until('both replies', () => words.split('\n').length > 2);
      child.stdin.end();
      await once(child, 'close');
      return words;
    };
    const missing = await say({ BECKON_URL: 'http://127.0.0.1:1', BECKON_KEY: 'bks_x' });
    match(missing, /"id":1,"error":\{"code":-32000,"message":"No hub replies at http:\/\/127\.0\.0\.1:1; start it/);
    match(missing, /"code":-32700/);
    const unknown = await say({ BECKON_URL: hub.url, BECKON_KEY: `bks_${'x'.repeat(43)}` });
    ok(unknown.includes('This credential is not known here.'));
  });
});
