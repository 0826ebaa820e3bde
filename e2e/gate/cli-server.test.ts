import { deepStrictEqual, match, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CreateMessageRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { until } from '../hub/until.ts';
import { said } from './raw.ts';
import { call, CHILD, startWrapped, wrapping } from './wrapped.ts';

const MOST_UNREAD = 16 * 1024 * 1024;
const about = { name: 'test-agent', version: '1.0.0' };

// What passes needs no hub.
const passing = (child: readonly string[], env: Record<string, string> = {}) => ({
  ...wrapping(['--otherwise', 'allow'], child, env),
  stderr: 'ignore' as const,
});
async function first(t: TestContext, child: readonly string[], capabilities: object = {}): Promise<FirstClient> {
  const client = new FirstClient(about, { capabilities });
  t.after(() => client.close());
  await client.connect(new FirstTransport(passing(child)) as never);
  return client;
}

test('what a server asks its client, its progress and changes of its lists pass beckon gate', async (t) => {
  const client = await first(t, CHILD.everything, { sampling: {}, roots: { listChanged: true } });
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    model: 'test',
    role: 'assistant' as const,
    content: { type: 'text' as const, text: 'sampled words' },
  }));
  const { tools } = await client.listTools();
  ok(tools.some(({ name }) => name === 'trigger-sampling-request'));
  const sampled = await client.callTool({ name: 'trigger-sampling-request', arguments: { prompt: 'Hi' } });
  match(said(sampled), /sampled words/);

  const progress: number[] = [];
  const long = { name: 'trigger-long-running-operation', arguments: { duration: 0.3, steps: 3 } };
  await client.callTool(long, undefined, { onprogress: (one) => void progress.push(one.progress) });
  // The SDK forgets the last one where the result comes in the same chunk.
  deepStrictEqual(progress.slice(0, 2), [1, 2]);

  const other = await first(t, CHILD.modern);
  const changed = new Promise<void>((resolve) =>
    other.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()),
  );
  await other.callTool({ name: 'grow', arguments: { name: 'grown' } });
  await changed;
  ok((await other.listTools()).tools.some(({ name }) => name === 'grown'));
});

test('a client of any revision finds the one that a wrapped server speaks', async (t) => {
  const client = new Client(about, { versionNegotiation: { mode: 'auto' } });
  t.after(() => client.close());
  await client.connect(new StdioClientTransport(passing(CHILD.everything)));
  match(said(await client.callTool({ name: 'echo', arguments: { message: 'old' } })), /old/);
});

test('a client of 2026-07-28 that listens hears of changed lists, under the id it chose', async (t) => {
  const wrapped = startWrapped(['--otherwise', 'allow'], CHILD.modern, {});
  t.after(async () => {
    wrapped.closeInput();
    await wrapped.ended;
  });
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { _meta, notifications: { toolsListChanged: true } };
  wrapped.send(JSON.stringify({ jsonrpc: '2.0', id: 'my-own-id', method: 'subscriptions/listen', params }));
  const heard = (count: number) => until(`${count} notifications`, () => wrapped.got.length >= count && wrapped.got);
  await heard(1);
  wrapped.send(call(1, 'grow', '{"name":"listened"}', `,"_meta":${JSON.stringify(_meta)}`));
  await wrapped.reply(1);
  const told = (await heard(3)).filter(({ method }) => method !== undefined);
  const subscription = 'io.modelcontextprotocol/subscriptionId';
  deepStrictEqual(
    told.map((one) => [one.method, (one.params?.['_meta'] as Record<string, unknown> | undefined)?.[subscription]]),
    [
      ['notifications/subscriptions/acknowledged', 'my-own-id'],
      ['notifications/tools/list_changed', 'my-own-id'],
    ],
  );
});

test('a wrapped server is read no further while its client does not read', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-flood-'));
  const file = join(folder, 'unread');
  const { command, args, env } = passing(CHILD.flood, { RECORD: file });
  const gate = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(gate, 'close');
  t.after(async () => {
    gate.stdout.resume();
    gate.stdin.end();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  gate.stdin.write(`${call(1, 'flood', '{}', ',"_meta":{"progressToken":1}')}\n`);
  const told = await until('the server to be read no more', () => {
    return existsSync(file) && Number(readFileSync(file, 'utf8').split('\n', 1)[0]);
  });
  ok(told < MOST_UNREAD, `${told} bytes`);
});
