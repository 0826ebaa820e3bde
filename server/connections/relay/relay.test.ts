import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { test, type TestContext } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { parseAddress, type Listen } from './relay.ts';
import { serve } from '../../platform/testing/listen.ts';
import { rawCall, rawPlatform } from '../testing/platform.ts';
import { openScene } from '../testing/scene.ts';

const STREAM_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n';
/** More than the sockets of any machine hold. */
const ENDLESS = 100_000_000;
const body = (reply: string): string => reply.slice(reply.indexOf('\r\n\r\n') + 4);

async function connected(t: TestContext, baseUrl: string, listen: Listen = () => undefined) {
  const scene = await openScene(t, () => listen);
  const { url, connection } = await scene.connect({ name: 'Lumen', kind: 'chatcompletions', baseUrl: `${baseUrl}/v1` });
  return { ...scene, url, connection };
}

test('request and reply pass with their bytes, status and headers, and with none of one hop', async (t) => {
  let heard = '';
  const base = await rawPlatform(t, (socket, request) => {
    if (!request.endsWith('0\r\n\r\n')) return;
    heard = request;
    socket.end(
      'HTTP/1.1 429 Slow Down\r\nX-Request-ID: r1\r\nset-cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 4\r\n' +
        'Keep-Alive: timeout=5\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\nService-Worker-Allowed: /\r\n\r\n\0\x01\xff\r',
      'latin1',
    );
  });
  const { url } = await connected(t, base);
  const path = new URL(url).pathname;
  const reply = await rawCall(
    url,
    `POST ${path}/chat/completions?a=%20b&a=c HTTP/1.1\r\nHost: hub.example\r\nauthorization: Bearer sk-client\r\n` +
      'X-Stainless-OS: Linux\r\nOrigin: https://front.example\r\nConnection: close, X-Mine\r\nX-Mine: 1\r\n' +
      'Content-Type: text/odd\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n\0\xfe\n\r\n0\r\n\r\n',
  );
  deepStrictEqual(heard.split('\r\n'), [
    'POST /v1/chat/completions?a=%20b&a=c HTTP/1.1',
    `host: ${new URL(base).host}`,
    'authorization: Bearer sk-client',
    'X-Stainless-OS: Linux',
    'Origin: https://front.example',
    'Content-Type: text/odd',
    'transfer-encoding: chunked',
    'Connection: keep-alive',
    '',
    '3',
    '\0\xfe\n',
    '0',
    '',
    '',
  ]);
  deepStrictEqual(reply.split('\r\n'), [
    'HTTP/1.1 429 Slow Down',
    'X-Request-ID: r1',
    'Content-Length: 4',
    'content-security-policy: sandbox',
    'Connection: close',
    '',
    '\0\x01\xff\r',
  ]);
});

test('a stream arrives as it was sent, packed or not, cut anywhere, while a listener that throws reads it', async (t) => {
  const events = `data: {"a":"你好🙂"}\r\n\r\n: comment\n\ndata: half`;
  const bodies = [Buffer.from(events), gzipSync(events), brotliCompressSync(events)];
  const encodings = ['identity', 'gzip', 'br'];
  let [which, sizes]: [number, number[]] = [0, [1]];
  const base = await rawPlatform(t, (socket) => {
    socket.write(`${STREAM_HEAD}Content-Encoding: ${encodings[which]}\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const bytes = bodies[which] as Buffer;
    for (let at = 0, turn = 0; at < bytes.length; turn++) {
      const size = sizes[turn % sizes.length] as number;
      const piece = bytes.subarray(at, (at += size));
      socket.write(`${piece.length.toString(16)}\r\n`);
      socket.write(piece);
      socket.write('\r\n');
    }
    socket.end('0\r\n\r\n');
  });
  const { url } = await connected(t, base, () => ({
    hear() {
      throw new Error('a listener fails');
    },
    end() {
      throw new Error('a listener fails');
    },
  }));
  const cuts = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.nat(2), cuts, async (kind, cut) => {
      [which, sizes] = [kind, cut];
      const { status, bytes } = await get(`${url}/chat/completions`);
      deepStrictEqual([status, bytes], [200, bodies[which]]);
    }),
    { seed: 13, numRuns: 40 },
  );
});

test('the head and each chunk leave as soon as they come, and a client that leaves ends the platform’s work', async (t) => {
  const left = Promise.withResolvers<void>();
  let say = (_text: string): void => undefined;
  const base = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    say = (some) => void response.write(some);
    response.on('close', left.resolve);
  });
  const { url } = await connected(t, base);
  const leave = new AbortController();
  const reply = await fetch(`${url}/chat/completions`, { method: 'POST', body: '{}', signal: leave.signal });
  const reader = reply.body!.getReader();
  for (const one of ['data: a\n\n', 'data: b\n\n']) {
    say(one);
    strictEqual(Buffer.from((await reader.read()).value!).toString(), one);
  }
  leave.abort();
  await left.promise;
});

test('a client that leaves before the platform answers ends the platform’s work', async (t) => {
  const [came, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const base = await serve(t, (_request, response) => {
    response.on('close', left.resolve);
    came.resolve();
  });
  const { url } = await connected(t, base);
  const call = request(`${url}/models`).on('error', () => {});
  call.end();
  await came.promise;
  call.destroy();
  await left.promise;
});

test('a stream that the platform breaks off is broken off for the client, and its listener is told', async (t) => {
  const ended = Promise.withResolvers<string>();
  const base = await rawPlatform(t, (socket) => {
    socket.write(`${STREAM_HEAD}Transfer-Encoding: chunked\r\n\r\n9\r\ndata: a\n\n\r\n`);
    setImmediate(() => socket.destroy());
  });
  let heard = '';
  const listen = () => ({
    hear: (chunk: Buffer) => void (heard += chunk.toString()),
    end: () => ended.resolve(heard),
  });
  const { url } = await connected(t, base, listen);
  const reply = await rawCall(url, `GET ${new URL(url).pathname}/x HTTP/1.1\r\nHost: a\r\n\r\n`);
  strictEqual(body(reply), '9\r\ndata: a\n\n\r\n');
  strictEqual(await ended.promise, 'data: a\n\n');
});

test('a client that does not read slows the platform down', async (t) => {
  let sent = 0;
  const stalled = Promise.withResolvers<void>();
  const base = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const pour = (): void => {
      const more = response.write(Buffer.alloc(65_536, 10));
      sent += 65_536;
      if (sent < ENDLESS && (more || sent < 1_048_576)) return void setImmediate(pour);
      stalled.resolve();
      response.once('drain', pour);
    };
    pour();
  });
  const { url } = await connected(t, base);
  const call = request(`${url}/x`).on('error', () => {});
  call.end();
  const [reply] = (await once(call, 'response')) as [NodeJS.ReadableStream];
  await stalled.promise;
  const before = await settled(() => sent);
  strictEqual(before < ENDLESS, true);
  reply.resume();
  for (const from = sent; sent < from + 10_000_000;) await new Promise((go) => setImmediate(go));
  call.destroy();
});

test('what cannot be reached is told in OpenAI’s form, and a redirect is passed on', async (t) => {
  const { url, connect } = await connected(t, 'http://127.0.0.1:1');
  const reply = await fetch(`${url}/models`);
  deepStrictEqual(
    [reply.status, await reply.json()],
    [
      502,
      {
        error: {
          message: 'The platform behind the connection "Lumen" cannot be reached: connection refused.',
          type: 'api_connection_error',
          param: null,
          code: 'upstream_unreachable',
        },
      },
    ],
  );
  const moved = await serve(t, (_request, response) => response.writeHead(307, { location: '/away' }).end());
  const other = await connect({ name: 'Moved', kind: 'chatcompletions', baseUrl: moved });
  const redirect = await fetch(`${other.url}/models`, { redirect: 'manual' });
  deepStrictEqual([redirect.status, redirect.headers.get('location')], [307, '/away']);
});

test('a token that is unknown, of another kind or written otherwise, a page and a path outside the API meet 404 and nothing else', async (t) => {
  let calls = 0;
  const base = await serve(t, (_request, response) => {
    calls++;
    response.end('reached');
  });
  const { url, connect } = await connected(t, base);
  const inbound = await connect({ name: 'In', kind: 'inbound' });
  const { origin, pathname: path } = new URL(url);
  const other = new URL(inbound.url).pathname;
  const paths = [
    `${path}x/models`,
    `${path.slice(0, -1)}/models`,
    '/v1/in/bki_/models',
    `${path.replace('bki_', 'bk%69_')}/models`,
    `${path}/../../secret`,
    `${path}/a/%2e%2E/secret`,
    `${path}/a%2f..%2f..%2fsecret`,
    `${path}/..%5csecret`,
    `${path}/..;a=1/secret`,
    `${path}/%`,
    `${other}/models`,
  ];
  for (const one of paths) {
    const reply = await rawCall(origin, `GET ${one} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    match(reply, /^HTTP\/1\.1 40[04] /, one);
    strictEqual(reply.includes('reached'), false, one);
  }
  const page = await fetch(`${url}/models`, { headers: { 'sec-fetch-dest': 'document' } });
  deepStrictEqual([page.status, await page.text(), calls], [404, '', 0]);
  strictEqual(await (await fetch(`${url}/models`)).text(), 'reached');
});

test('only a whole token and what stands below it is read from an address', () => {
  const token = `bki_${'a'.repeat(43)}`;
  deepStrictEqual(parseAddress(`/v1/in/${token}/a/./b`), undefined);
  deepStrictEqual(parseAddress(`/v1/in/${token}/a//b?c=../d`), { token, rest: '/a//b?c=../d' });
  deepStrictEqual(parseAddress(`/v1/in/${token}/%e4%bd%a0...`), { token, rest: '/%e4%bd%a0...' });
  deepStrictEqual(parseAddress(`/x/v1/in/${token}/a`), undefined);
});

async function get(url: string): Promise<{ status: number | undefined; bytes: Buffer }> {
  const call = request(url).end();
  const [reply] = (await once(call, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of reply) chunks.push(chunk as Buffer);
  return { status: reply.statusCode, bytes: Buffer.concat(chunks) };
}

/** Waits until a count has not moved for a while of turns. */
async function settled(read: () => number): Promise<number> {
  for (let last = -1; ;) {
    const now = read();
    if (now === last) return now;
    last = now;
    for (let turn = 0; turn < 2_000; turn++) await new Promise((go) => setImmediate(go));
  }
}

test('a head that is no HTTP, of another protocol or too long is told as 502, and the hub goes on', async (t) => {
  const heads = [
    'HTTP/1.1 200 O\x01K\r\nX: 1\r\n\r\n',
    'HTTP/1.1 200 OK\r\nX: a\x01b\r\n\r\n',
    'HTTP/1.1 200 OK\r\nX Y: 1\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
    `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
    'SSH-2.0-OpenSSH_9.2\r\n',
    '\r\n',
    '',
  ];
  let head = '';
  const base = await rawPlatform(t, (socket) => void socket.end(head, 'latin1'));
  const { url } = await connected(t, base);
  for (head of heads) {
    const reply = await fetch(`${url}/models`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
    strictEqual(reply?.status, 502, JSON.stringify(head.slice(0, 60)));
  }
});
