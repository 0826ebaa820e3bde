import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { serve } from '../../platform/testing/listen.ts';
import { rawCall, rawPlatform } from '../testing/platform.ts';
import { openScene } from '../testing/scene.ts';

async function connected(t: TestContext, baseUrl: string) {
  const { connect } = await openScene(t);
  return connect({ name: 'Lumen', kind: 'chatcompletions', baseUrl });
}
const bodyOf = (reply: string): string => reply.slice(reply.indexOf('\r\n\r\n') + 4);

test('a client that waits for 100 before it sends its body is asked for it', { timeout: 20_000 }, async (t) => {
  const base = await serve(t, (asked, response) => {
    void text(asked).then((body) => response.end(`${asked.headers['expect']} ${body}`));
  });
  const { url } = await connected(t, base);
  const call = request(`${url}/x`, { method: 'POST', headers: { expect: '100-continue', 'content-length': 5 } });
  call.flushHeaders();
  await once(call, 'continue');
  call.end('hello');
  const [reply] = (await once(call, 'response')) as [IncomingMessage];
  deepStrictEqual([reply.statusCode, await text(reply)], [200, 'undefined hello']);
});

test('a body reaches the platform, whatever its type is said to be', { timeout: 20_000 }, async (t) => {
  const base = await serve(t, (asked, response) => {
    void text(asked).then((body) => response.end(`${asked.headers['content-type']} ${body}`));
  });
  const { url } = await connected(t, base);
  const said: string[] = [];
  for (const type of ['json', ';;', 'application/json', 'text/plain; charset=none', undefined]) {
    const headers = { 'content-length': 2, ...(type === undefined ? {} : { 'content-type': type }) };
    const call = request(`${url}/x`, { method: 'POST', headers });
    call.end('{}');
    const [reply] = (await once(call, 'response')) as [IncomingMessage];
    said.push(await text(reply));
  }
  deepStrictEqual(said, ['json {}', ';; {}', 'application/json {}', 'text/plain; charset=none {}', 'undefined {}']);
});

test('a reply without a body is whole, and the connection of its client goes on', { timeout: 20_000 }, async (t) => {
  const heads = {
    HEAD: 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n',
    GET: 'HTTP/1.1 204 No Content\r\n',
    PUT: 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\nContent-Length: 7\r\n',
  };
  const base = await rawPlatform(t, (socket, asked) => {
    const method = /^[A-Z]+/.exec(asked)?.[0] as keyof typeof heads;
    socket.end(`${heads[method]}Connection: close\r\n\r\n`);
  });
  const { url } = await connected(t, base);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const met: unknown[] = [];
  const sockets = new Set();
  for (const method of Object.keys(heads)) {
    const call = request(`${url}/x`, { method, agent }).end();
    const [reply] = (await once(call, 'response')) as [IncomingMessage];
    sockets.add(reply.socket);
    met.push([reply.statusCode, reply.headers['content-length'], await text(reply)]);
  }
  deepStrictEqual(met, [
    [200, '1000', ''],
    [204, undefined, ''],
    [304, '7', ''],
  ]);
  strictEqual(sockets.size, 1);
});

test(
  'what a platform says before its reply is not taken for it, and trailers are left out',
  { timeout: 20_000 },
  async (t) => {
    const base = await rawPlatform(
      t,
      (socket) =>
        void socket.end(
          'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n' +
            'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n' +
            '2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n',
        ),
    );
    const { url } = await connected(t, base);
    const path = new URL(url).pathname;
    const reply = await rawCall(url, `GET ${path}/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    deepStrictEqual(
      reply,
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    );
  },
);

for (const ends of ['closes its connection', 'leaves its connection open'] as const)
  test(
    `a client whose body a platform does not read to its end gets the whole reply (${ends})`,
    { timeout: 30_000 },
    async (t) => {
      const words = JSON.stringify({ error: 'x'.repeat(300_000) });
      const base = await rawPlatform(t, (socket, asked) => {
        if (!asked.includes('\r\n\r\n') || socket.isPaused()) return;
        socket.pause();
        const close = ends === 'closes its connection';
        socket.write(
          `HTTP/1.1 413 Too Large\r\nContent-Type: application/json\r\nContent-Length: ${words.length}\r\n` +
            `${close ? 'Connection: close\r\n' : ''}\r\n${words}`,
        );
        if (close) socket.end();
      });
      const { url } = await connected(t, base);
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      t.after(() => agent.destroy());
      const size = 16_000_000;
      const call = request(`${url}/x`, { method: 'POST', agent, headers: { 'content-length': size } });
      let fault: Error | undefined;
      call.on('error', (error) => (fault = error));
      const closed = new Promise((resolve) => call.on('close', resolve));
      const piece = Buffer.alloc(500_000);
      let [sent, most] = [0, 0];
      const before = process.memoryUsage().rss;
      const pour = (): void => {
        most = Math.max(most, process.memoryUsage().rss - before);
        while (sent < size) {
          sent += piece.length;
          if (!call.write(piece)) return void call.once('drain', pour);
        }
        call.end();
      };
      pour();
      const [reply] = (await once(call, 'response')) as [IncomingMessage];
      deepStrictEqual([reply.statusCode, await text(reply)], [413, words]);
      await closed;
      strictEqual(fault, undefined);
      ok(most < 60_000_000, `${most} bytes`);
      const next = request(`${url}/y`, { agent }).end();
      const [again] = (await once(next, 'response')) as [IncomingMessage];
      deepStrictEqual([again.statusCode, await text(again)], [413, words]);
    },
  );

test('a client that offers another protocol is answered as if it had not', { timeout: 20_000 }, async (t) => {
  let heard = '';
  const base = await rawPlatform(t, (socket, asked) => {
    heard = asked;
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok');
  });
  const { url } = await connected(t, base);
  const { pathname } = new URL(url);
  for (const protocol of ['websocket', 'h2c']) {
    const offer = `Connection: Upgrade, close\r\nUpgrade: ${protocol}\r\nSec-WebSocket-Key: x\r\n`;
    const reply = await rawCall(url, `GET ${pathname}/x HTTP/1.1\r\nHost: a\r\n${offer}\r\n`);
    match(reply, /^HTTP\/1\.1 200 OK\r\n/);
    deepStrictEqual([bodyOf(reply), /^upgrade:/im.test(heard)], ['ok', false]);
  }
});

test('a bounded part of a stream is taken while its client does not read', { timeout: 60_000 }, async (t) => {
  const most = 32 * 1_048_576;
  let sent = 0;
  const full = Promise.withResolvers<void>();
  const base = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const pour = (): void => {
      const more = response.write(Buffer.alloc(65_536, 10));
      sent += 65_536;
      if (sent > most) return full.resolve();
      if (more) return void setImmediate(pour);
      response.once('drain', pour);
    };
    pour();
  });
  const { url } = await connected(t, base);
  const call = request(`${url}/x`).on('error', () => {});
  call.end();
  await once(call, 'response');
  for (let last = -1; last !== sent;) {
    last = sent;
    for (let turns = 0; turns < 2_000; turns++)
      await Promise.race([full.promise, new Promise((go) => setImmediate(go))]);
  }
  // What the sockets of a machine hold, on four ends, and a little of its own.
  ok(sent < most, `${sent} bytes`);
  call.destroy();
});
