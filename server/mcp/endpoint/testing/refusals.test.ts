import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { createApp } from '../../../app.ts';
import { readOverrides } from '../overrides.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { TooMany } from '../../../platform/http/rate-limits.ts';
import { openScene, type Scene } from './scene.ts';
import { exchange, MODERN, openLegacy, resultOf, saidBy, sendModern, until, type Exchange } from './wire.ts';

describe('what /mcp refuses', { timeout: 60_000 }, () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene(createApp);
  });
  after(() => scene.stop());

  const INITIALIZE = {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  };
  const post = (body: unknown, more: { key?: string; headers?: object; query?: string } = {}) =>
    exchange(scene.mcp(more.query), { key: scene.keys.source, body, ...more });
  async function met(sent: Promise<Exchange>): Promise<[number, number | string | undefined]> {
    const { status, frames, done } = await sent;
    await done;
    return [status, frames[0]?.error?.code ?? (frames[0] as { code?: string } | undefined)?.code];
  }

  test('[SEC1] strangers, and whoever was signed out', async () => {
    deepStrictEqual(await met(exchange(scene.mcp(), { body: INITIALIZE })), [401, 'credential.missing']);
    deepStrictEqual(await met(post(INITIALIZE, { key: `bks_${'x'.repeat(43)}` })), [401, 'credential.unknown']);
    deepStrictEqual(await met(post(INITIALIZE, { key: `bkd_${'x'.repeat(43)}` })), [401, 'credential.unknown']);
    deepStrictEqual(await met(exchange(scene.mcp(), { method: 'GET' })), [401, 'credential.missing']);
    deepStrictEqual(await met(post(INITIALIZE, { query: `?key=${scene.keys.source}` })), [400, 'credential.in_url']);
    strictEqual((await exchange(scene.mcp(), { body: INITIALIZE })).headers.get('www-authenticate'), 'Bearer');
  });

  test('what is not one message of JSON-RPC', async () => {
    deepStrictEqual(
      [
        await met(post('{"jsonrpc":"2.0",')),
        await met(post('')),
        await met(post('7')),
        await met(post('[]')),
        await met(post([INITIALIZE, INITIALIZE])),
        await met(post({ id: 1, method: 'initialize' })),
        await met(post('{"jsonrpc":"2.0","id":1,"method":"a\\u0000"}')),
        await met(post(`${'['.repeat(70)}${']'.repeat(70)}`)),
        await met(post({ ...INITIALIZE, params: 7 })),
      ],
      [
        [400, -32700],
        [400, -32700],
        [400, -32600],
        [400, -32600],
        [400, -32600],
        [400, -32600],
        [400, -32600],
        [400, -32700],
        [400, -32600],
      ],
    );
  });

  test('what is too large, of another media type, or accepts too little', async () => {
    const large = { ...INITIALIZE, params: { text: 'x'.repeat(524_288) } };
    deepStrictEqual(
      [
        await met(post(large)),
        await met(post(INITIALIZE, { headers: { 'content-type': 'text/plain' } })),
        await met(post(INITIALIZE, { headers: { accept: 'application/json' } })),
      ],
      [
        [413, -32000],
        [415, -32000],
        [406, -32000],
      ],
    );
  });

  test('an ask above 256 KiB, as a result that says so', async () => {
    const session = await openLegacy(scene.mcp(), scene.keys.source);
    const call = await session.call('send_inquiry', { prompt: 'x'.repeat(262_144) });
    const { isError, content } = await resultOf<{ isError: boolean; content: { text: string }[] }>(call);
    deepStrictEqual([isError, content[0]?.text.includes('256 KiB')], [true, true]);
  });

  test('[LIV4] a new ask of a node with too much to do, as a result that says to come back; who comes back is let in', async (t) => {
    const session = await openLegacy(scene.mcp(), scene.keys.source);
    const call = await session.call('send_inquiry', { prompt: 'Stored?' }, { token: 1 });
    const inquiry = await scene.asked('Stored?');
    const id = await until(() => call.frames[0]?.eventId);
    await scene.restart();
    const { enter } = scene.asks();
    t.after(() => void (scene.asks().enter = enter));
    scene.asks().enter = () => {
      throw new TooMany('hub.overloaded', 'Too much.', 3, 503);
    };
    const refused = await resultOf(await session.call('send_inquiry', { prompt: 'Refused?' }, { id: 2 }));
    deepStrictEqual(refused, { content: [{ type: 'text', text: 'Too much.' }], isError: true });
    const back = await session.resume(id);
    await scene.answer(inquiry, { text: 'yes' });
    strictEqual(await saidBy(back), 'yes');
    const { items } = await scene.call<{ items: Inquiry[] }>('GET', '/v1/inquiries', scene.keys.source);
    deepStrictEqual(
      items.map(({ prompt }) => prompt),
      ['Stored?'],
    );
  });

  test('headers that say something else than the body', async () => {
    const call = { method: 'tools/call', params: { name: 'send_inquiry', arguments: { prompt: 'Never asked' } } };
    const send = (headers: object) => sendModern(scene.mcp(), scene.keys.source, { ...call, headers });
    deepStrictEqual(
      [
        await met(send({ 'mcp-name': 'send_notice' })),
        await met(send({ 'mcp-method': 'tools/list' })),
        await met(send({ 'mcp-protocol-version': '2025-11-25' })),
        await met(post({ jsonrpc: '2.0', id: 1, ...call }, { headers: { 'mcp-protocol-version': MODERN } })),
        await met(sendModern(scene.mcp(), scene.keys.source, { method: 'resources/list' })),
      ],
      [
        [400, -32020],
        [400, -32020],
        [400, -32020],
        [400, -32602],
        [404, -32601],
      ],
    );
  });

  test('an address of calls that reaches none, with no page, in its protocol’s form', async () => {
    const below = ['/v1', '/mcp', '/keycloak/v1', '/aap/v1', `/aap/v1/requests/${'x'.repeat(300)}`];
    const replies = below.map(async (path) => {
      const reply = await fetch(`${scene.url}${path}/none`);
      const { code, error } = (await reply.json()) as { code?: string; error?: { code: string } };
      return [reply.status, code ?? error?.code];
    });
    deepStrictEqual(await Promise.all(replies), [
      ...Array(3).fill([404, 'route.unknown']),
      ...Array(2).fill([404, 'route_unknown']),
    ]);
  });

  test('a session that is unknown, ended, or another’s', async () => {
    const session = await openLegacy(scene.mcp(), scene.keys.source);
    const ping = { id: 5, method: 'ping' };
    deepStrictEqual(
      [
        await met(session.send(ping)),
        await met(session.send(ping, scene.keys.other)),
        await met(session.send(ping, scene.keys.device)),
        await met(post({ jsonrpc: '2.0', ...ping }, { headers: { 'mcp-session-id': 'none' } })),
        await met(post({ jsonrpc: '2.0', ...ping })),
        await met(exchange(scene.mcp(), { key: scene.keys.source, method: 'GET' })),
        await met(exchange(scene.mcp(), { key: scene.keys.source, method: 'DELETE' })),
      ],
      [
        [200, undefined],
        [404, -32001],
        [404, -32001],
        [404, -32001],
        [400, -32000],
        [400, -32000],
        [400, -32000],
      ],
    );
    await (
      await session.end()
    ).done;
    deepStrictEqual(await met(session.send(ping)), [404, -32001]);
  });

  test('a query that cannot be meant, in one sentence', async () => {
    const queries = [
      '?wait=soon',
      `?wait=${'9'.repeat(400)}`,
      '?deadline=0',
      '?locale=fr',
      '?to=',
      '?task=1',
      '?description=',
      '?description.promt=x',
    ];
    deepStrictEqual(
      await Promise.all(queries.map((query) => met(post(INITIALIZE, { query })))),
      queries.map(() => [400, 'mcp.bad_query']),
    );
    deepStrictEqual(queries.map(sentenceOf), [
      ...Array(2).fill('"wait" takes seconds, at least 0 and at most 2592000 (30 days).'),
      '"deadline" takes seconds, at least 1 and at most 2592000 (30 days).',
      '"locale" takes en or zh.',
      '"to" takes handles of people or groups with commas between them, e.g. to=alice,ops.',
      '"task" takes on or off.',
      '"description" takes a text of at most 8192 characters.',
      '"description.promt" names no parameter of send_inquiry; try description.prompt.',
    ]);
  });

  test('[SEC1] pages of elsewhere and names that were bound to this machine, on every method', async () => {
    const { port } = scene.mcp();
    const send = (method: string, headers: Record<string, string>) =>
      new Promise<number | undefined>((resolve, reject) => {
        const sent = request(scene.mcp(), {
          method,
          headers: { authorization: `Bearer ${scene.keys.source}`, 'content-type': 'application/json', ...headers },
        });
        sent.on('response', (reply) => resolve((reply.resume(), reply.statusCode)));
        sent.on('error', reject).end();
      });
    const statuses = async (headers: Record<string, string>) =>
      Promise.all(['GET', 'POST', 'DELETE'].map((method) => send(method, headers)));
    const refused = [403, 403, 403];
    deepStrictEqual(await statuses({ host: `evil.example:${port}` }), refused);
    deepStrictEqual(await statuses({ host: `evil.example.:${port}`, origin: `http://evil.example:${port}` }), refused);
    deepStrictEqual(await statuses({ origin: 'https://evil.example' }), refused);
    deepStrictEqual(await statuses({ origin: 'null' }), refused);
    const taken = [400, 400, 400];
    deepStrictEqual(await statuses({}), taken);
    deepStrictEqual(await statuses({ host: `localhost:${port}`, origin: `http://localhost:${port}` }), taken);
    deepStrictEqual(await statuses({ host: '10.1.2.3' }), taken);
    deepStrictEqual(await statuses({ host: '[::1]' }), taken);
  });
});

function sentenceOf(query: string): string {
  try {
    return JSON.stringify(readOverrides(new URLSearchParams(query)));
  } catch (error) {
    return (error as Error).message;
  }
}
