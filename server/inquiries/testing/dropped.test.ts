import { deepStrictEqual, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Inquiry } from '#shared/inquiry.ts';
import { createApp } from '../../app.ts';
import { openScene, type Scene } from '../../mcp/endpoint/testing/scene.ts';
import { MODERN, openLegacy } from '../../mcp/endpoint/testing/wire.ts';

type Request = { path: string; headers: Record<string, string>; body: object };
/** A request that blocks, another one for each number. */
type Door = (n: number) => Request;

/** Half of what a call with a key is kept for: none of these may have that long. */
const GONE_WITHIN_MS = 30_000;

// The client writes its request whole and is gone: often before the hub listens to the socket.
async function post({ url, keys }: Scene, { path, headers, body }: Request, dropAfterMs: number) {
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  const text = JSON.stringify(body);
  const head = {
    host: `127.0.0.1:${port}`,
    authorization: `Bearer ${keys.source}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    ...headers,
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`);
  await pause(dropAfterMs);
  socket.destroy();
}

const call = (name: string, args: object, n: number): Request => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    path: '/mcp',
    headers: { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': name },
    body: { jsonrpc: '2.0', id: n, method: 'tools/call', params: { name, arguments: args, _meta: meta } },
  };
};

const doors: [name: string, open: (scene: Scene) => Promise<Door>][] = [
  [
    'HTTP',
    async () => (n) => ({ path: '/v1/inquiries?wait=120', headers: {}, body: { prompt: `Dropped by HTTP ${n}?` } }),
  ],
  ['MCP', async () => (n) => call('send_inquiry', { prompt: `Dropped by MCP ${n}?` }, n)],
  [
    'a session of MCP',
    async (scene) => {
      const { sessionId } = await openLegacy(scene.mcp(), scene.keys.source);
      return (n) => ({
        path: '/mcp',
        headers: { 'mcp-session-id': sessionId, 'mcp-protocol-version': '2025-11-25' },
        body: {
          jsonrpc: '2.0',
          id: n,
          method: 'tools/call',
          params: { name: 'send_inquiry', arguments: { prompt: `Dropped in a session ${n}?` } },
        },
      });
    },
  ],
  [
    'a gate',
    async (scene) => {
      const gate = { upstream: { url: 'http://127.0.0.1:9/mcp' }, otherwise: 'ask' };
      await scene.call('PUT', '/v1/gates/drops', scene.keys.device, gate);
      return (n) => ({ ...call('drop', { n }, n), path: '/mcp/gate/drops' });
    },
  ],
];

for (const [name, open] of doors) {
  test(`[WDR1] a call by ${name} whose client is gone at any moment leaves nothing open after its grace`, async (t) => {
    const scene = await openScene(createApp, { graceMs: 100 });
    t.after(() => scene.stop());
    const door = await open(scene);
    const list = async (state: string) =>
      (await scene.call<{ items: Inquiry[] }>('GET', `/v1/inquiries?state=${state}&limit=100`, scene.keys.source))
        .items;
    for (let ms = 0; ms <= 60; ms++) await post(scene, door(ms), ms / 2);
    // What came before this is known to the hub now.
    await scene.call('POST', '/v1/inquiries?wait=0.01', scene.keys.other, { prompt: 'Is all here?' });
    let left = await list('open');
    const end = performance.now() + GONE_WITHIN_MS;
    while (left.length > 0 && performance.now() < end) {
      await pause(50);
      left = await list('open');
    }
    deepStrictEqual(
      left.map(({ title }) => title),
      [],
    );
    const withdrawn = await list('withdrawn');
    ok(withdrawn.length > 0);
    deepStrictEqual(new Set(withdrawn.map(({ resolution }) => resolution?.message)), new Set(['its asker is gone']));
  });
}
