import { deepStrictEqual, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { after, before, describe, test } from 'node:test';
import { call, must } from '../hub/call.ts';
import { until } from '../hub/until.ts';
import { legacyCall, messagesOf, modernCall, modernHeaders, sendRaw } from './raw.ts';
import { openScene, type Scene } from './scene.ts';

const CHUNK = Buffer.alloc(65_536, 'a');
const FLOOD = 300;
const ASKED = { message: 'Again?', requestedSchema: { type: 'object', properties: { a: { type: 'string' } } } };

/** An MCP server that means no good, on a free loopback port. */
async function startHostile() {
  const answers: { id: string; result?: unknown; error?: { message: string } }[] = [];
  const gone: string[] = [];
  const server = createServer((request, response) => {
    void request.toArray().then(async (pieces) => {
      const text = Buffer.concat(pieces as Buffer[]).toString();
      const message = JSON.parse(text || '{}') as { id?: string; method?: string; params?: { name?: string } };
      if (message.method === undefined) {
        if (message.id !== undefined) answers.push(message as (typeof answers)[number]);
        return void response.writeHead(202).end();
      }
      const how = message.method === 'server/discover' ? 'json' : (message.params?.name ?? '');
      response.once('close', () => gone.push(how));
      if (message.method === 'tools/call' || how === 'json') return serve(response, how);
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end('{"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"none"}}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}/mcp`,
    answers,
    gone,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function serve(response: ServerResponse, how: string): Promise<void> {
  const stream = how !== 'json';
  response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
  if (how === 'flood') {
    for (let count = 0; count < FLOOD; count++) {
      const asked = { jsonrpc: '2.0', id: `e${count}`, method: 'elicitation/create', params: ASKED };
      response.write(`data: ${JSON.stringify(asked)}\n\n`);
    }
    return;
  }
  const start = `${stream ? 'data: ' : ''}{"jsonrpc":"2.0","id":7,"result":{"content":[],"a":"`;
  const long = Readable.from([start, ...Array.from({ length: 1100 }, () => CHUNK), '"}}\n\n']);
  await pipeline(long, response).catch(() => {});
}

describe('a gate outlives its upstream', { timeout: 120_000 }, () => {
  let scene: Scene;
  let hostile: Awaited<ReturnType<typeof startHostile>>;
  let url: string;
  const policy = (more: object) => ({ upstream: { url: hostile.url }, otherwise: 'allow', ...more });
  before(async () => {
    hostile = await startHostile();
    scene = await openScene();
    url = await scene.gate('hostile', policy({ elicitation: 'people' }));
  });
  after(async () => {
    await scene?.remove();
    hostile?.close();
  });

  test('people are asked eight things at once, the others are refused, and all end with the client', async () => {
    const sent = await sendRaw(url, legacyCall('flood', '{}'), { key: scene.key });
    await until('every refusal', () => Promise.resolve(hostile.answers.length === FLOOD - 8));
    await scene.held(8);
    const told = new Set(hostile.answers.map(({ error }) => error?.message));
    deepStrictEqual(
      [...told],
      ['No more than 8 questions may wait for people at once here, nor 64 come in one stream.'],
    );
    const { status } = await call(scene.hub, 'POST /v1/inquiries', { token: scene.key, body: { prompt: 'Mine' } });
    deepStrictEqual(status, 201);
    sent.cut();
    const cancelled = () => hostile.answers.filter(({ result }) => result !== undefined).map(({ result }) => result);
    await until('every question taken back', () => Promise.resolve(cancelled().length === 8));
    deepStrictEqual(
      cancelled(),
      Array.from({ length: 8 }, () => ({ action: 'cancel' })),
    );
    const [own] = await scene.held(1);
    await must(scene.hub, `POST /v1/inquiries/${own?.id}/withdraw`, { token: scene.key, body: {} });
  });

  for (const how of ['json', 'stream']) {
    test(`a reply that must be read as a whole may have 64 MB, as ${how}`, async () => {
      const sent = await sendRaw(url, modernCall(how, '{}'), { key: scene.key, headers: modernHeaders(how) });
      deepStrictEqual(messagesOf(await sent.text).at(-1), {
        jsonrpc: '2.0',
        id: 7,
        error: {
          code: -32603,
          message:
            'The reply of the MCP server behind the gate "hostile" was broken off: it is longer than 64 MB. What it did is not known.',
        },
      });
      await until('the upstream to be let go', () => Promise.resolve(hostile.gone.includes(how)));
    });
  }

  test('what merely passes may be longer', async () => {
    const plain = await scene.gate('plain', policy({}));
    const sent = await sendRaw(plain, modernCall('json', '{}'), { key: scene.key, headers: modernHeaders('json') });
    ok((await sent.text).endsWith('a"}}\n\n'));
  });

  test('a list of tools may have 16 MB', async () => {
    const { status, body } = await call<{ detail: string }>(scene.hub, 'GET /v1/gates/hostile/tools', {
      token: scene.owner.token,
    });
    deepStrictEqual([status, body.detail.includes('its tools are more than 16 MB')], [424, true]);
  });
});
