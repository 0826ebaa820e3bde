import { deepStrictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, test, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '#shared/problem.ts';
import { createCounts } from '../counts.ts';
import { createLog } from '../log.ts';
import { counted, createAdmission } from './admission.ts';
import { createHttp } from './http.ts';
import { TooMany } from './rate-limits.ts';

/** A node whose clock stands until it is told. */
function openNode() {
  let ms = 0;
  let refusals = 0;
  const asks = createAdmission(() => ms);
  asks.onRefusal = () => (refusals += 1);
  const under: (() => void)[] = [];
  /** So many asks of one caller, or of one caller each; how many of them were let in. */
  const ask = (times: number, whose = (_at: number) => 'a'): number => {
    const before = under.length;
    for (let at = 0; at < times; at += 1)
      try {
        under.push(asks.enter(whose(at)));
      } catch (error) {
        if (!(error instanceof TooMany)) throw error;
      }
    return under.length - before;
  };
  return {
    asks,
    ask,
    after: (more: number) => (ms += more),
    /** The oldest of those that are under way are stored. */
    store: (times: number) => under.splice(0, times).forEach((stored) => stored()),
    refusals: () => refusals,
  };
}
const another = (at: number) => `caller ${at}`;

describe('asks beyond what a node can do', () => {
  test('[LIV4] a burst of any size is let in, and all of it worked off', () => {
    const node = openNode();
    deepStrictEqual([node.ask(5_000), node.after(2_000), node.ask(1), node.refusals()], [5_000, 2_000, 1, 0]);
  });

  test('[LIV4] while none is stored promptly for two seconds, no more are under way than share a flush', () => {
    const node = openNode();
    node.ask(200);
    node.after(2_001);
    deepStrictEqual([node.ask(10), node.refusals()], [0, 10]);
    node.store(136);
    deepStrictEqual(node.ask(1), 0);
    node.store(10);
    deepStrictEqual(node.ask(20), 10);
  });

  test('[LIV4] slow asks that are fewer are let in, for a lock or a disk makes them slow and no queue', () => {
    const node = openNode();
    for (let round = 0; round < 20; round += 1) {
      deepStrictEqual(node.ask(64), 64);
      node.after(3_000);
      node.store(64);
    }
  });

  test('[LIV4] many are let in where some are stored promptly', () => {
    const node = openNode();
    node.ask(100);
    node.after(1_999);
    const stored = node.asks.count('quick');
    node.after(100);
    stored();
    deepStrictEqual(node.ask(100), 100);
    node.after(2_001);
    deepStrictEqual(node.ask(100), 0);
  });

  test('[LIV4] for ten seconds after its last refusal a node lets no queue grow again', () => {
    const node = openNode();
    node.ask(65);
    node.after(2_001);
    deepStrictEqual(node.ask(1), 0);
    node.store(65);
    node.after(9_999);
    deepStrictEqual(node.ask(100), 64);
    node.store(64);
    node.after(10_000);
    deepStrictEqual(node.ask(100), 100);
  });

  test('[LIV4] whoever sends one is let in before whoever sends many, until twice as many are under way', () => {
    const node = openNode();
    node.ask(65);
    node.after(2_001);
    deepStrictEqual([node.ask(1), node.ask(100, another), node.ask(1, () => 'late')], [0, 63, 0]);
  });

  test('[LIV4] a refusal says in how many seconds to come back, and those that are refused together come back apart', () => {
    const node = openNode();
    node.ask(65);
    node.after(2_001);
    const refused = Array.from({ length: 5 }, () => {
      try {
        node.asks.enter('a');
        return 'let in';
      } catch (error) {
        const { status, code, retryAfterSeconds } = error as TooMany;
        return [status, code, retryAfterSeconds];
      }
    });
    deepStrictEqual(
      refused,
      [1, 2, 3, 4, 1].map((seconds) => [503, 'hub.overloaded', seconds]),
    );
  });
});

/** A hub whose asks are stored by `store`, with a count of those under way; while it is `full` it refuses others. */
async function openHub(
  t: TestContext,
  store: (headers: object) => Promise<void> | undefined,
  lookUp?: () => Promise<void> | undefined,
) {
  const counts = createCounts();
  const hub = { looked: 0, full: false, underWay: () => counts.of('all') };
  const app = await createHttp({
    log: createLog('silent'),
    findCaller: async () => {
      hub.looked += 1;
      await lookUp?.();
      return { kind: 'source', id: 'src_1', name: 'One', ownerId: 'per_1' };
    },
    origins: () => [],
    trustProxy: 0,
    rateLimit: 1_000,
  });
  t.after(() => app.close());
  const count = () => counts.add('all');
  Object.assign(app.asks, {
    count,
    enter() {
      if (hub.full) throw new TooMany('hub.overloaded', 'Later.', 3, 503);
      return count();
    },
  });
  app.post('/ask', { config: { access: 'source', asks: true } }, async (request) => {
    await counted(request, async () => store(request.headers));
    return { after: hub.underWay() };
  });
  app.post('/answer', { config: { access: 'source' } }, () => ({}));
  return { hub, app };
}

test('[LIV4] an ask is refused by its headers alone; an answer and a read are not, and it counts until it is stored', async (t) => {
  const before: number[] = [];
  const { hub, app } = await openHub(t, async (headers) => {
    before.push(hub.underWay());
    if ('x-fails' in headers) throw new AppError(409, 'inquiry.key_reused', 'No.');
  });
  const send = async (url: string, headers: Record<string, string> = {}) => {
    const payload = { prompt: 'Ship?' };
    const authorization = 'Bearer k';
    const reply = await app.inject({ method: 'POST', url, payload, headers: { authorization, ...headers } });
    const { code, after } = reply.json<{ code?: string; after?: number }>();
    return [reply.statusCode, reply.headers['retry-after'] ?? code ?? after, hub.underWay()];
  };
  deepStrictEqual(await send('/ask'), [200, 0, 0]);
  deepStrictEqual(await send('/ask', { 'x-fails': '1' }), [409, 'inquiry.key_reused', 0]);
  hub.full = true;
  deepStrictEqual([await send('/ask'), hub.looked], [[503, '3', 0], 2]);
  deepStrictEqual([await send('/answer'), hub.looked], [[200, undefined, 0], 3]);
  deepStrictEqual(before, [1, 1]);
});

for (const early of [true, false])
  test(`[LIV4] an ask whose client closes ${early ? 'before' : 'while'} it is stored counts until it is`, async (t) => {
    const [found, entered, stored] = [0, 1, 2].map(() => Promise.withResolvers<void>());
    const store = () => (entered?.resolve(), stored?.promise);
    const { hub, app } = await openHub(t, store, () => found?.promise);
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const call = new AbortController();
    const heard = once(app.server, 'request') as Promise<[unknown, ServerResponse]>;
    const headers = { authorization: 'Bearer k' };
    void fetch(`${url}/ask`, { method: 'POST', headers, signal: call.signal }).catch(() => {});
    const [, reply] = await heard;
    const close = async () => {
      const closed = once(reply, 'close');
      call.abort();
      await closed;
      return hub.underWay();
    };
    if (early) deepStrictEqual(await close(), 0);
    found?.resolve();
    await entered?.promise;
    deepStrictEqual(early ? hub.underWay() : await close(), 1);
    stored?.resolve();
    await nextTurn();
    deepStrictEqual(hub.underWay(), 0);
  });
