import { deepStrictEqual, match, ok, rejects } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CreateMessageRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Inquiry } from '#shared/inquiry.ts';
import type { GateTool } from '#shared/gate.ts';
import { must } from '../hub/call.ts';
import { until } from '../hub/until.ts';
import { asked, decide } from './people.ts';
import { firstClient, openPrograms, program, said, secondClient, type ProgramScene } from './programs.ts';
import { CHILD, runs } from './wrapped.ts';

const SUM = { name: 'get-sum', arguments: { a: 2, b: 3 } };
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const ENVELOPE = { [VERSION]: '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
const NOTE = { name: 'note', arguments: { text: 'hello' } };

describe('a gate before a program of the hub', { timeout: 120_000 }, () => {
  let s: ProgramScene;
  before(async () => {
    s = await openPrograms(
      {
        everything: {
          upstream: program(CHILD.everything, { GIVEN: 'by the gate' }),
          rules: [{ tool: 'get-sum', does: 'ask' }],
          otherwise: 'allow',
        },
        modern: { upstream: program(CHILD.modern) },
        missing: { upstream: program(['/nowhere/server']) },
      },
      { METRICS_TOKEN: 'a-token-of-the-hub-itself' },
    );
  });
  after(() => s?.remove());

  type Call = (name: string, args?: object, options?: object) => Promise<unknown>;
  async function connected(line: 'SDK 1' | 'SDK 2'): Promise<{ call: Call; close(): Promise<void> }> {
    if (line === 'SDK 1') {
      const client = await firstClient(s.url('modern'), s.key);
      const call: Call = (name, args = {}, options = {}) =>
        client.callTool({ name, arguments: { ...args } }, undefined, options);
      return { call, close: () => client.close() };
    }
    const client = await secondClient(s.url('modern'), s.key);
    const call: Call = (name, args = {}, options = {}) => client.callTool({ name, arguments: { ...args } }, options);
    return { call, close: () => client.close() };
  }

  const post = (gate: string, method: string, params: object, headers: object, id: string, signal?: AbortSignal) =>
    fetch(s.url(gate), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${s.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { _meta: ENVELOPE, ...params } }),
      signal: signal ?? null,
    });
  async function modern(gate: string, method: string, params: object = {}, headers: object = {}) {
    const reply = await post(gate, method, params, headers, 'one');
    return { status: reply.status, body: (await reply.json()) as { error?: { code: number; message: string } } };
  }

  test('the first SDK line reaches a program of its own, which gets what is approved or edited and nothing else', async () => {
    const client = await firstClient(s.url('everything'), s.key);
    const sums: [decision: Parameters<typeof decide>[3], words: string, isError?: true][] = [
      [{ type: 'approve' }, 'The sum of 2 and 3 is 5.'],
      [{ type: 'edit', argsText: '{"a":20,"b":22}' }, 'The sum of 20 and 22 is 42.'],
      [
        { type: 'reject', message: 'Use your head.' },
        'A person rejected this call; it was not run. Their words: Use your head.',
        true,
      ],
      [{ type: 'respond', message: 'About five.' }, 'About five.'],
    ];
    for (const [decision, words, isError] of sums) {
      const result = client.callTool(SUM);
      await decide(s.hub, s.owner, (await asked(s.hub, s.owner))[0], decision);
      deepStrictEqual([said(await result), (await result).isError], [words, isError]);
    }
    await client.close();
  });

  test('calls at the same time are each decided for themselves', async () => {
    const client = await firstClient(s.url('everything'), s.key);
    const results = [1, 2, 3].map((a) => client.callTool({ name: 'get-sum', arguments: { a, b: 0 } }));
    const inquiries = await asked(s.hub, s.owner, 3);
    for (const inquiry of inquiries.toReversed()) await decide(s.hub, s.owner, inquiry, { type: 'approve' });
    deepStrictEqual(
      (await Promise.all(results)).map(said),
      [1, 2, 3].map((a) => `The sum of ${a} and 0 is ${a}.`),
    );
    await client.close();
  });

  test('sampling, progress and changes of lists pass', async () => {
    const client = await firstClient(s.url('everything'), s.key, { sampling: {}, roots: { listChanged: true } });
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
    deepStrictEqual(progress, [1, 2, 3]);
    await client.close();

    const other = await firstClient(s.url('modern'), s.key);
    const changed = new Promise<void>((resolve) =>
      other.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()),
    );
    await other.callTool({ name: 'grow', arguments: { name: 'grown' } });
    await changed;
    ok((await other.listTools()).tools.some(({ name }) => name === 'grown'));
    await other.close();
  });

  test('both eras of the second SDK line are served, each by the program’s own', async () => {
    for (const mode of [{ pin: '2026-07-28' }, 'legacy', 'auto'] as const) {
      const client = await secondClient(s.url('modern'), s.key, mode);
      const result = client.callTool(NOTE);
      await decide(s.hub, s.owner, (await asked(s.hub, s.owner))[0], {
        type: 'edit',
        argsText: '{"text":"edited"}',
      });
      deepStrictEqual(said(await result), 'noted edited');
      const progress: number[] = [];
      await client.callTool({ name: 'count' }, { onprogress: (one) => void progress.push(one.progress) });
      deepStrictEqual(progress, [1, 2, 3]);
      await client.close();
    }
    const fallen = await secondClient(s.url('everything'), s.key, 'auto');
    match(said(await fallen.callTool({ name: 'echo', arguments: { message: 'old' } })), /old/);
    await fallen.close();
  });

  test('requests of one source share a program since 2026-07-28, those of another have their own', async () => {
    const open = (key: string) => secondClient(s.url('modern'), key);
    const [one, two, other] = [await open(s.key), await open(s.key), await open(s.otherKey)];
    const clients = [one, two, other];
    const pids = await Promise.all(clients.map(async (client) => said(await client.callTool({ name: 'pid' }))));
    deepStrictEqual([pids[0] === pids[1], pids[1] === pids[2]], [true, false]);
    const many = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (at % 2 === 0 ? one : two).callTool({ name: 'peek', arguments: { text: String(at) } }),
      ),
    );
    deepStrictEqual(
      many.map(said),
      Array.from({ length: 20 }, (_, at) => `peeked ${at}`),
    );
    await Promise.all(clients.map((client) => client.close()));
  });

  test('[WDR1] a call that is taken back is withdrawn, or reaches the program as a cancel', async () => {
    for (const line of ['SDK 1', 'SDK 2'] as const) {
      const { call, close } = await connected(line);
      const controller = new AbortController();
      const { signal } = controller;
      const cancels = async () => Number(said(await call('cancels')));
      const before = await cancels();
      const held = rejects(call('note', NOTE.arguments, { signal }));
      const [{ id }] = await asked(s.hub, s.owner);
      const begun = Promise.withResolvers<void>();
      const running = rejects(call('wait', {}, { signal, onprogress: () => begun.resolve() }));
      await begun.promise;
      controller.abort(new Error('enough'));
      await Promise.all([held, running]);
      const outcome = async () =>
        (await must<Inquiry>(s.hub, `GET /v1/inquiries/${id}`, { token: s.key })).resolution?.outcome;
      deepStrictEqual(await until('the withdrawal', outcome), 'withdrawn');
      await until('the program to hear of it', async () => (await cancels()) === before + 1);
      await close();
    }
  });

  test('a session belongs to the credential that made it', async () => {
    const client = await firstClient(s.url('everything'), s.key);
    const session = client.transport?.sessionId ?? '';
    const post = (key: string, id: string) =>
      fetch(s.url('everything'), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-session-id': id,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 'p', method: 'ping' }),
      });
    const statuses = await Promise.all([post(s.key, session), post(s.otherKey, session), post(s.key, 'gone.1')]);
    deepStrictEqual(
      statuses.map(({ status }) => status),
      [200, 404, 404],
    );
    for (const { body } of statuses) await body?.cancel();
    await client.close();
  });

  test('a program gets what the gate names and no secret of the hub', async () => {
    const client = await firstClient(s.url('everything'), s.key);
    const own = JSON.parse(said(await client.callTool({ name: 'get-env' }))) as Record<string, string>;
    deepStrictEqual(own['GIVEN'], 'by the gate');
    deepStrictEqual(
      Object.keys(own).filter((name) => /DATA_DIR|DATABASE|SEALING|BECKON|METRICS|GATES_FILE|RATE/.test(name)),
      [],
    );
    ok(!JSON.stringify(own).includes(s.key));
    await client.close();
  });

  test('the owner sees which tools a program has and what becomes of them', async () => {
    const { items } = await must<{ items: GateTool[] }>(s.hub, 'GET /v1/gates/modern/tools', { token: s.owner.token });
    deepStrictEqual(
      items.map(({ name, does }) => [name, does]),
      [
        ['note', 'ask'],
        ...['peek', 'environment', 'pid', 'ask', 'count', 'wait', 'cancels', 'grow'].map((name) => [name, 'allow']),
      ],
    );
  });

  test('a program that cannot be started, or that dies, ends its calls in one sentence', async () => {
    const gone = 'The MCP server behind the gate "missing" is gone: "/nowhere/server" cannot be started';
    await rejects(firstClient(s.url('missing'), s.key), (error: Error) => error.message.includes(gone));
    const { status, body } = await modern('missing', 'server/discover');
    deepStrictEqual([status, body.error], [200, { code: -32603, message: `${gone}: there is no such program.` }]);
    for (const line of ['SDK 1', 'SDK 2'] as const) {
      const { call, close } = await connected(line);
      const pid = Number(said(await call('pid')));
      const begun = Promise.withResolvers<void>();
      const waiting = call('wait', {}, { onprogress: () => begun.resolve() });
      const ended = rejects(waiting, /is gone: "[^"]*" was ended by SIGKILL/);
      await begun.promise;
      process.kill(pid, 'SIGKILL');
      await ended;
      await close().catch(() => {});
    }
    // And another one serves what comes next.
    const next = await connected('SDK 2');
    deepStrictEqual(said(await next.call('peek', { text: 'x' })), 'peeked x');
    await next.close();
  });

  test('what 2026-07-28 asks of HTTP holds before a program too', async () => {
    const version = { 'mcp-protocol-version': '2030-01-01' };
    const replies = [
      await modern('modern', 'tools/list'),
      await modern('modern', 'nonsense/method'),
      await modern('modern', 'tools/list', {}, { 'mcp-method': 'tools/call' }),
      await modern('modern', 'prompts/get', { name: 'a' }, { 'mcp-name': 'b' }),
      await modern('modern', 'tools/list', { _meta: { ...ENVELOPE, [VERSION]: '2030-01-01' } }, version),
      await modern('modern', 'tools/list', { _meta: { [VERSION]: '2026-07-28' } }),
      await modern('everything', 'server/discover'),
    ];
    deepStrictEqual(
      replies.map(({ status, body }) => [status, body.error?.code]),
      [
        [200, undefined],
        [404, -32601],
        [400, -32020],
        [400, -32020],
        [400, -32022],
        [400, -32602],
        [404, -32601],
      ],
    );
  });

  test('a client that listens hears of changed lists, under the id it chose', async () => {
    const listener = new AbortController();
    const params = { notifications: { toolsListChanged: true } };
    const listening = await post('modern', 'subscriptions/listen', params, {}, 'my-own-id', listener.signal);
    const heard = linesOf(listening);
    const { call, close } = await connected('SDK 2');
    await call('grow', { name: 'listened' });
    const lines = await until('the change', () => heard.length === 2 && heard);
    deepStrictEqual(
      lines.map(({ method, params: { _meta } }) => [method, _meta[SUBSCRIPTION]]),
      [
        ['notifications/subscriptions/acknowledged', 'my-own-id'],
        ['notifications/tools/list_changed', 'my-own-id'],
      ],
    );
    listener.abort();
    await close();
  });

  test('a client of an older revision that lost its connection gets the rest', async () => {
    const client = await firstClient(s.url('everything'), s.key);
    const headers = {
      authorization: `Bearer ${s.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': client.transport?.sessionId ?? '',
      'mcp-protocol-version': '2025-11-25',
    };
    const params = { name: 'trigger-long-running-operation', arguments: { duration: 0.5, steps: 1 } };
    const lost = new AbortController();
    const reply = await fetch(s.url('everything'), {
      method: 'POST',
      headers,
      signal: lost.signal,
      body: JSON.stringify({ jsonrpc: '2.0', id: 'long', method: 'tools/call', params }),
    });
    const first = await reply.body?.getReader().read();
    const [, id = ''] = /^id: (\S+)/m.exec(new TextDecoder().decode(first?.value)) ?? [];
    lost.abort();
    // Until the hub has seen that the first connection is gone it says 409, and clients come again.
    const rest = await until('the stream to be free', async () => {
      const came = await fetch(s.url('everything'), { headers: { ...headers, 'last-event-id': id } });
      if (came.status !== 409) return came;
      await came.text();
      return undefined;
    });
    match(await rest.text(), /Long running operation completed/);
    await client.close();
  });

  test('a session that ends, and a hub that stops, leave no program behind', async () => {
    const client = await firstClient(s.url('modern'), s.key);
    const pid = Number(said(await client.callTool({ name: 'pid' })));
    await (client.transport as unknown as { terminateSession(): Promise<void> }).terminateSession();
    await until('the program of the session to end', () => !runs(pid));
    await client.close();

    const clients = [await firstClient(s.url('modern'), s.key), await secondClient(s.url('modern'), s.key)];
    const pids = await Promise.all(
      clients.map(async (one) => Number(said(await (one as typeof client).callTool({ name: 'pid' })))),
    );
    await s.hub.stop();
    deepStrictEqual(pids.map(runs), [false, false]);
    await Promise.all(clients.map((one) => one.close().catch(() => {})));
    await s.hub.start();
    const last = await secondClient(s.url('modern'), s.key);
    const lastPid = Number(said(await last.callTool({ name: 'pid' })));
    await s.hub.kill();
    await until('the program of a killed hub to end', () => !runs(lastPid));
    await last.close().catch(() => {});
  });
});

type Heard = { method: string; params: { _meta: Record<string, unknown> } };

/** The messages of a stream, as they come. */
function linesOf({ body }: Response): Heard[] {
  const heard: Heard[] = [];
  const read = async (): Promise<void> => {
    let rest = '';
    for await (const chunk of body ?? []) {
      rest += new TextDecoder().decode(chunk as Uint8Array);
      const events = rest.split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) {
        const [, data] = /^data: (.+)$/m.exec(event) ?? [];
        if (data !== undefined) heard.push(JSON.parse(data) as Heard);
      }
    }
  };
  read().catch(() => {});
  return heard;
}
