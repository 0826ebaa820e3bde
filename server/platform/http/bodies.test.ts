import { deepStrictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { request as send, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test, type TestContext } from 'node:test';
import { pino } from 'pino';
import { AppError } from '#shared/problem.ts';
import { createBudget } from './bodies.ts';
import { createTurns, takeTurn } from '../turns.ts';
import { createHttp, BODY_LIMIT } from './http.ts';

const LARGE = 'a'.repeat(100_000);
/** A caller that waits for another one never ends. */
const TIMED = { timeout: 30_000 };

async function startHttp(t: TestContext, handler: (name: string) => Promise<void>) {
  const app = await createHttp({
    log: pino({ level: 'silent' }),
    findCaller: async (id) => ({ kind: 'source', id, name: id, ownerId: 'per_1' }),
    origins: () => [],
    trustProxy: 0,
    rateLimit: 10_000,
  });
  // No turn ends because the machine is slow.
  app.turns = createTurns({ now: () => 0, after: (ms, then) => (ms === 0 && setImmediate(then), () => {}) });
  app.post('/ask', { config: { access: 'source' } }, async ({ body }) => {
    await handler((body as { name: string }).name);
    return {};
  });
  app.get('/page', { config: { access: 'source' } }, async (request) => {
    await takeTurn(LARGE.length);
    await handler(request.caller?.id ?? '');
    return { items: [{ name: LARGE }, 'next'], nextCursor: 'next' };
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  return (
    key: string,
    headers: Record<string, string | number> = {},
    [method, path] = ['POST', '/ask'],
  ): ClientRequest => {
    const type = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
    return send({ port, method, path, agent: false, headers: { ...type, ...headers } }).on('error', () => {});
  };
}

const reply = async (call: ClientRequest): Promise<IncomingMessage> =>
  ((await once(call, 'response')) as [IncomingMessage])[0];

test('[LIV3] a caller has so many bytes under way, one body always, and another caller its own', () => {
  const budget = createBudget(100);
  const take = (caller: string, bytes: number) => {
    try {
      return budget.take(caller, bytes);
    } catch (error) {
      return error instanceof AppError ? `${error.status} ${error.code}` : String(error);
    }
  };
  const large = take('a', 1_000);
  deepStrictEqual([take('a', 1), typeof take('b', 60), take('b', 41)], [REFUSED, 'function', REFUSED]);
  for (let times = 0; times < 2; times++) if (typeof large === 'function') large();
  deepStrictEqual([typeof take('a', 60), take('a', 41), typeof take('a', 40)], ['function', REFUSED, 'function']);
});
const REFUSED = '429 request.too_much';

test('[LIV3] what is beyond that is refused by its headers, and taken again once the others are gone', async (t) => {
  const call = await startHttp(t, async () => {});
  // One more than fit, and nothing of any body: whichever comes last is refused.
  const announced = Array.from({ length: 129 }, (_, at) => {
    const one = call('flood', at % 2 === 0 ? { 'content-length': BODY_LIMIT } : { 'transfer-encoding': 'chunked' });
    one.flushHeaders();
    return one;
  });
  const over = await Promise.race(announced.map(reply));
  deepStrictEqual(
    [over.statusCode, over.headers['retry-after'], await json(over)],
    [
      429,
      '1',
      {
        type: 'urn:beckon:problem:request.too_much',
        title: 'request too much',
        status: 429,
        code: 'request.too_much',
        detail:
          'Bodies of 33554432 bytes of this credential are under way already; send fewer at once, and this one again in 1 s.',
      },
    ],
  );
  deepStrictEqual((await reply(call('neighbour').end(JSON.stringify({ name: LARGE })))).statusCode, 200);
  for (const one of announced) one.destroy();
  let status: number | undefined = 429;
  while (status === 429) ({ statusCode: status } = await reply(call('flood').end(JSON.stringify({ name: LARGE }))));
  deepStrictEqual(status, 200);
});

/** Counts how many calls of each caller are worked on at once, and of how many callers; none goes on before two callers are here. */
function counted() {
  const two = Promise.withResolvers<void>();
  const working = new Map<string, number>();
  const most = { ofOne: 0, callers: 0 };
  const work = async (name: string): Promise<void> => {
    const whose = name.slice(0, 1);
    working.set(whose, (working.get(whose) ?? 0) + 1);
    if (working.size === 2) two.resolve();
    await two.promise;
    for (let turn = 0; turn < 20; turn++) {
      await nextTurn();
      most.ofOne = Math.max(most.ofOne, ...working.values());
      most.callers = Math.max(most.callers, working.size);
    }
    working.delete(whose);
  };
  return { work, most };
}

test(
  '[LIV3] of the large bodies of one caller one is worked on at a time, of several callers one each',
  TIMED,
  async (t) => {
    const { work, most } = counted();
    const call = await startHttp(t, work);
    const ask = (whose: string) => reply(call(whose).end(JSON.stringify({ name: whose + LARGE })));
    await Promise.all(['a', 'a', 'a', 'a', 'b', 'b'].map(ask));
    deepStrictEqual(most, { ofOne: 1, callers: 2 });
  },
);

test(
  '[LIV3] of the large readings of one caller one is worked on at a time, beside its bodies, and reads as it is',
  TIMED,
  async (t) => {
    const { work, most } = counted();
    const call = await startHttp(t, work);
    const read = async (whose: string) => json(await reply(call(whose, {}, ['GET', '/page']).end()));
    const ask = async (whose: string) => json(await reply(call(whose).end(JSON.stringify({ name: whose + LARGE }))));
    const page = { items: [{ name: LARGE }, 'next'], nextCursor: 'next' };
    const replies = await Promise.all([read('a'), ask('a'), read('a'), read('a'), read('b'), read('b')]);
    deepStrictEqual([replies, most], [[page, {}, page, page, page, page], { ofOne: 1, callers: 2 }]);
  },
);
