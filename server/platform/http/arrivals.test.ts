import { deepStrictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextCheck, setTimeout as pause } from 'node:timers/promises';
import { test } from 'node:test';
import { pino } from 'pino';
import { createHttp } from './http.ts';

test('a request that lay whole in its socket arrived before the standstill, one whose client sends slowly has not', async (t) => {
  const stillMs = 5_000;
  const waited: number[] = [];
  let still = true;
  const app = await createHttp({
    log: pino({ level: 'silent' }),
    // As after a standstill of 5 s that ends with the first look.
    loop: { lookedAt: () => performance.now() - (still ? stillMs : 0) },
    // Who calls is read from the database, which may keep a request waiting.
    findCaller: () => pause(100, { kind: 'source', id: 'src_1', name: 'CI', ownerId: 'per_1' }),
    origins: () => [],
    trustProxy: 0,
    rateLimit: 100,
  });
  app.post('/waited', { config: { access: 'source' } }, async (request) => {
    waited.push(performance.now() - request.arrivedAt);
    return {};
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => app.close());
  const { port } = app.server.address() as AddressInfo;

  const head =
    'POST /waited HTTP/1.1\r\nhost: x\r\nauthorization: Bearer bks_1\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n';
  const whole = connect(port, '127.0.0.1');
  whole.write(`${head}{}`);
  await text(whole);

  const slow = connect(port, '127.0.0.1');
  slow.write(head);
  await once(app.server, 'request');
  for (let turn = 0; turn < 2; turn++) await nextCheck();
  still = false;
  slow.write('{}');
  await text(slow);
  deepStrictEqual(
    waited.map((ms) => ms >= stillMs),
    [true, false],
  );
});

test('a request is entering until its handler has it, or its reply is over', async (t) => {
  const entering = new Set<object>();
  const seen: unknown[] = [];
  const app = await createHttp({
    log: pino({ level: 'silent' }),
    loop: {
      lookedAt: () => performance.now(),
      entering() {
        const one = {};
        entering.add(one);
        return () => void entering.delete(one);
      },
    },
    findCaller: async (token) => {
      seen.push(['asks who calls', entering.size]);
      return token === 'bks_1' ? { kind: 'source', id: 'src_1', name: 'CI', ownerId: 'per_1' } : 'unknown';
    },
    origins: () => [],
    trustProxy: 0,
    rateLimit: 100,
  });
  app.post('/taken', { config: { access: 'source' } }, async () => {
    await nextCheck();
    seen.push(['handles', entering.size]);
    return {};
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  for (const token of ['bks_1', 'bks_2']) {
    const headers = { authorization: `Bearer ${token}`, connection: 'close' };
    const { status } = await fetch(`http://127.0.0.1:${port}/taken`, { method: 'POST', headers });
    while (entering.size > 0) await nextCheck();
    seen.push(status);
  }
  deepStrictEqual(seen, [['asks who calls', 1], ['handles', 0], 200, ['asks who calls', 1], 401]);
});
