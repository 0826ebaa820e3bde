import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { forbiddenNetwork } from './addresses.ts';
import { createOutbound, type Outgoing } from './post.ts';

const open: (() => Promise<void>)[] = [];
after(() => Promise.all(open.map((close) => close())));

async function endpoint(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function outbound(permit?: (address: string) => boolean) {
  const { post, close } = createOutbound(permit ? { permit } : {});
  open.push(close);
  return (url: string, more: Partial<Outgoing> = {}) =>
    post({
      url,
      headers: { 'content-type': 'text/plain' },
      body: 'hello',
      trust: 'untrusted',
      timeoutMs: 60_000,
      ...more,
    });
}
const anywhere = (): boolean => true;

describe('outbound', () => {
  test('every network but the public one is forbidden', () => {
    const kinds = {
      '0.0.0.0': 'unspecified',
      '10.1.2.3': 'private',
      '100.64.0.1': 'carrierGradeNat',
      '127.0.0.1': 'loopback',
      '169.254.169.254': 'linkLocal',
      '172.16.0.1': 'private',
      '192.168.1.1': 'private',
      '192.0.2.1': 'reserved',
      '198.18.0.1': 'reserved',
      '224.0.0.1': 'multicast',
      '240.0.0.1': 'reserved',
      '255.255.255.255': 'broadcast',
      '::': 'unspecified',
      '::1': 'loopback',
      '::7f00:1': 'reserved',
      '::ffff:127.0.0.1': 'ipv4Mapped',
      '::ffff:8.8.8.8': 'ipv4Mapped',
      '64:ff9b::7f00:1': 'rfc6052',
      '64:ff9b:1::a00:1': 'rfc6052',
      '2002:7f00:1::': '6to4',
      '2001::1': 'teredo',
      '2001:db8::1': 'reserved',
      '4000::1': 'reserved',
      'fc00::1': 'uniqueLocal',
      'fd12:3456::1': 'uniqueLocal',
      'fe80::1': 'linkLocal',
      'fec0::1': 'deprecatedSiteLocal',
      'ff02::1': 'multicast',
      'not an address': 'unreadable',
      '8.8.8.8': undefined,
      '2606:4700::1111': undefined,
    };
    assert.deepStrictEqual(
      Object.fromEntries(Object.keys(kinds).map((address) => [address, forbiddenNetwork(address)])),
      kinds,
    );
  });

  test('an untrusted address reaches no private network, by number or by name', async () => {
    let calls = 0;
    const url = await endpoint((_request, response) => {
      calls++;
      response.end();
    });
    const post = outbound();
    const { port } = new URL(url);
    const hosts = ['127.0.0.1', '0x7f.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]', 'localhost', '0.0.0.0'];
    const sent = await Promise.all(hosts.map((host) => post(`http://${host}:${port}/`)));
    assert.deepStrictEqual(
      sent,
      hosts.map(() => ({ error: 'refused: private address' })),
    );
    assert.deepStrictEqual(await post(url, { trust: 'owner' }), { status: 200 });
    assert.equal(calls, 1);
  });

  test('only http and https without credentials are called', async () => {
    const post = outbound(anywhere);
    assert.deepStrictEqual(await post('ftp://example.com/'), { error: 'refused: not http or https' });
    assert.deepStrictEqual(await post('http://user:password@example.com/'), {
      error: 'refused: credentials in the address',
    });
    assert.deepStrictEqual(await post('nonsense'), { error: 'refused: not an address' });
  });

  test('headers and body arrive as given, and Retry-After comes back in milliseconds', async () => {
    const heard: unknown[] = [];
    const url = await endpoint((request, response) => {
      void text(request).then((body) => {
        heard.push([request.method, request.headers['content-type'], body]);
        response.writeHead(503, { 'retry-after': '7' }).end();
      });
    });
    assert.deepStrictEqual(await outbound(anywhere)(url), { status: 503, retryAfterMs: 7_000 });
    assert.deepStrictEqual(heard, [['POST', 'text/plain', 'hello']]);
  });

  test('a redirect is refused and not followed', async () => {
    let calls = 0;
    const url = await endpoint((_request, response) => {
      calls++;
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    assert.deepStrictEqual(await outbound(anywhere)(url), { status: 307, error: 'refused: redirect' });
    assert.equal(calls, 1);
  });

  test('an endless reply is cut off', async () => {
    const cut = Promise.withResolvers<void>();
    const url = await endpoint((_request, response) => {
      response.on('close', () => cut.resolve());
      const pour = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        response.once('drain', pour);
      };
      pour();
    });
    assert.deepStrictEqual(await outbound(anywhere)(url), { status: 200 });
    await cut.promise;
  });

  test('what the network does is an error word', async () => {
    const silent = await endpoint(() => {});
    const gone = await endpoint((request) => request.socket.destroy());
    const post = outbound(anywhere);
    const stop = new AbortController();
    const stopped = post(silent, { signal: stop.signal });
    stop.abort();
    assert.deepStrictEqual(
      await Promise.all([post(silent, { timeoutMs: 30 }), post(gone), post('http://127.0.0.1:1/'), stopped]),
      ['timeout', 'connection closed', 'connection refused', 'stopped'].map((error) => ({ error })),
    );
  });

  test('a hundred names that nobody answers for hold up no other', async () => {
    const asked = Promise.withResolvers<void>();
    const hanging = new Set<string>();
    const server = createSocket('udp4', (query, { port, address }) => {
      const name = query.toString('latin1', 13, 13 + query[12]!);
      if (name.startsWith('hangs')) {
        if (hanging.add(name).size === 100) asked.resolve();
        return;
      }
      server.send(reply(query), port, address);
    }).bind(0, '127.0.0.1');
    await once(server, 'listening');
    const nameServers = [`127.0.0.1:${server.address().port}`];
    const { post, close } = createOutbound({ permit: anywhere, nameServers });
    open.push(close, async () => void server.close());
    const stop = new AbortController();
    const request = { headers: {}, body: '', trust: 'untrusted', timeoutMs: 60_000, signal: stop.signal } as const;
    const names = Array.from({ length: 100 }, (_, count) => `http://hangs-${count}.test/`);
    const hung = Promise.all(names.map((url) => post({ ...request, url })));
    await asked.promise;
    const { port } = new URL(await endpoint((_request, response) => void response.end()));
    assert.deepStrictEqual(await post({ ...request, url: `http://healthy.test:${port}/` }), { status: 200 });
    stop.abort();
    assert.deepStrictEqual(new Set((await hung).map(({ error }) => error)), new Set(['stopped']));
  });
});

/** Answers a question for an IPv4 address with 127.0.0.1 and any other with nothing (RFC 1035). */
function reply(query: Buffer): Buffer {
  const question = query.subarray(12, query.indexOf(0, 12) + 5);
  const ipv4 = question.readUInt16BE(question.length - 4) === 1;
  const head = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, Number(ipv4), 0, 0, 0, 0]);
  query.copy(head, 0, 0, 2);
  const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
  return Buffer.concat(ipv4 ? [head, question, answer] : [head, question]);
}
