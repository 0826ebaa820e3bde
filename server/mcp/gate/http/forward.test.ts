import { deepStrictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { forward } from './forward.ts';
import { createReplyStream } from '../../reply-stream.ts';
import { createUpstream } from './upstream.ts';
import type { GateRequest } from './gate-request.ts';

async function listen(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a reply keeps the length that the upstream said, and has none where it said none', async (t) => {
  const upstream = createUpstream();
  t.after(() => upstream.close());
  const url = await listen(t, ({ url: path }, reply) => {
    reply.writeHead(200, { 'content-type': 'application/json', ...(path === '/said' ? { 'content-length': 7 } : {}) });
    reply.write('{"a":');
    setImmediate(() => reply.end('1}'));
  });
  const gate = await listen(t, ({ url: path, headers }, raw) => {
    const replyStream = createReplyStream({ raw, everyMs: 1000, signs: { count: 0 } });
    const gateRequest = {
      gates: { upstream },
      gate: { name: 'web', upstream: { url: url + path, headers: {} } },
      headers,
    };
    void forward({ ...gateRequest, replyStream } as unknown as GateRequest, { method: 'GET', id: null });
  });
  const said = [];
  for (const path of ['/said', '/unsaid']) {
    const reply = await fetch(gate + path);
    said.push([reply.headers.get('content-length'), reply.headers.get('transfer-encoding'), await reply.text()]);
  }
  deepStrictEqual(said, [
    ['7', null, '{"a":1}'],
    [null, 'chunked', '{"a":1}'],
  ]);
});
