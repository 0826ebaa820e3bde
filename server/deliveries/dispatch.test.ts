import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { parseExact } from '#shared/json.ts';
import { DAY_MS, iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { openDatabase } from '../platform/engines/open.ts';

import { againContract } from './again.contract.ts';
import { replay } from './again.ts';
import { readDeliveries } from './read.ts';
import { queuesContract } from './queues.contract.ts';
import { LEASE_MS } from './worker.ts';
import { giveUpOlder, sweepAttempts } from './settle.ts';
import {
  addInquiry,
  addSource,
  dispatcherFor,
  endpoint,
  movableClock,
  enqueueNow,
  SECRET,
  type Endpoint,
} from './testing/scene.ts';

let database: Database;
let clock: ReturnType<typeof movableClock>;
const folder = mkdtempSync(join(tmpdir(), 'beckon-deliveries-'));
const cleanup: (() => Promise<void>)[] = [];

before(async () => {
  database = await openDatabase({ dataDir: folder });
});
describe('webhooks that are sent', () => {
  beforeEach(async () => {
    clock = movableClock();
    await database.transaction((trx) => trx.deleteFrom('deliveries').execute());
  });
  // A dispatcher that is awake takes whatever falls due, the next test's deliveries included.
  afterEach(async () => {
    for (const end of cleanup.splice(0)) await end();
  });
  after(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  async function listen(...given: Parameters<typeof endpoint>): Promise<Endpoint> {
    const made = await endpoint(...given);
    cleanup.push(made.close);
    return made;
  }

  function dispatch(more: Parameters<typeof dispatcherFor>[1] = {}) {
    const dispatcher = dispatcherFor(database, { clock, ...more });
    cleanup.unshift(() => dispatcher.stop(0));
    return dispatcher;
  }

  /** Owes one resolved inquiry to one endpoint. */
  async function enqueueFor(url: string) {
    const scene = await addSource(database, url, clock.now());
    await enqueueNow(database, { ...scene, at: clock.now() });
    return scene;
  }

  async function only(inquiryId: string) {
    const [delivery] = await readDeliveries(database.read, inquiryId);
    assert.ok(delivery);
    return delivery;
  }

  describe('webhook queues on SQLite', () => queuesContract(() => database));

  describe('webhooks tried now and paused, on SQLite', () =>
    againContract(
      () => database,
      () => database,
    ));

  describe('webhooks', () => {
    test('[DLV1] a webhook is signed by Standard Webhooks and collects its inquiry', async () => {
      const hook = await listen();
      const { inquiryId, sourceId } = await addSource(database, hook.url, clock.now());
      const data = () => parseExact('{"args":9007199254740993}');
      assert.equal(
        await enqueueNow(database, {
          sourceId,
          inquiryId,
          at: clock.now(),
          data,
          callbackUrl: `${hook.url}callback?a=1%20b`,
        }),
        2,
      );
      await dispatch().runDue();

      const owed = await readDeliveries(database.read, inquiryId);
      const heard = hook.heard.map(({ headers, path }) => [
        String(headers['webhook-id']),
        new URL(path, hook.url).href,
      ]);
      assert.deepStrictEqual(
        heard,
        owed.map(({ id, url }) => [id, url]),
      );
      assert.deepStrictEqual(owed.map(({ url }) => url).toSorted(), [hook.url, `${hook.url}callback?a=1%20b`]);
      for (const { headers, body } of hook.heard) {
        new Webhook(SECRET).verify(body, headers as Record<string, string>);
        assert.equal(headers['content-type'], 'application/json');
        assert.equal(
          body,
          `{"type":"inquiry.resolved","timestamp":"${iso(clock.now())}","data":{"args":9007199254740993}}`,
        );
      }
      const { collected_at } = await database.read
        .selectFrom('inquiries')
        .select('collected_at')
        .where('id', '=', inquiryId)
        .executeTakeFirstOrThrow();
      assert.equal(collected_at, clock.now());
    });

    test('[DLV1] nothing is enqueued without an address, and one address is told once', async () => {
      const quiet = await addSource(database, null);
      assert.equal(
        await enqueueNow(database, { ...quiet, at: clock.now(), data: () => assert.fail('read for nobody') }),
        0,
      );
      const loud = await addSource(database, 'https://example.com/hook');
      assert.equal(
        await enqueueNow(database, { ...loud, at: clock.now(), callbackUrl: 'https://example.com/hook' }),
        1,
      );
    });

    test('[DLV1] a webhook is tried with back-off, byte for byte the same, until 2xx', async () => {
      const hook = await listen((response, nth) =>
        response.writeHead([500, 302, 204][nth - 1] ?? 500, { location: '/' }).end(),
      );
      const start = clock.now();
      const { inquiryId } = await enqueueFor(hook.url);
      const dispatcher = dispatch();
      for (const ms of [0, 4_999, 1, 9_999, 1]) {
        clock.forward(ms);
        await dispatcher.runDue();
      }
      const { id, ...delivery } = await only(inquiryId);
      assert.deepStrictEqual(delivery, {
        type: 'inquiry.resolved',
        inquiryId,
        url: hook.url,
        state: 'delivered',
        createdAt: iso(start),
        attemptCount: 3,
        attempts: [
          { at: iso(start), status: 500, ms: 0 },
          { at: iso(start + 5_000), status: 302, error: 'refused: redirect', ms: 0 },
          { at: iso(start + 15_000), status: 204, ms: 0 },
        ],
      });
      assert.equal(new Set(hook.heard.map(({ body }) => body)).size, 1);
      assert.deepStrictEqual(new Set(hook.heard.map(({ headers }) => headers['webhook-id'])), new Set([id]));
      assert.equal(new Set(hook.heard.map(({ headers }) => headers['webhook-signature'])).size, 3);
    });

    test('[DLV1] 409 and 410 end it, and a revoked source is told no more', async () => {
      const hook = await listen((response, nth) => response.writeHead(nth === 1 ? 409 : 410).end());
      const scenes = [await enqueueFor(hook.url), await enqueueFor(hook.url), await enqueueFor(hook.url)];
      const revoked = scenes[2]!.sourceId;
      await database.transaction((trx) =>
        trx.updateTable('sources').set({ revoked_at: 1 }).where('id', '=', revoked).execute(),
      );
      await dispatch().runDue();
      const ended = await Promise.all(scenes.map(({ inquiryId }) => only(inquiryId)));
      assert.deepStrictEqual(
        ended.map(({ state }) => state),
        ['gone', 'gone', 'gone'],
      );
      assert.deepStrictEqual(ended[2]!.attempts, [{ at: iso(clock.now()), error: 'source revoked', ms: 0 }]);
      assert.equal(hook.heard.length, 2);
    });

    test('[APR1] the platform behind a connection is handed no approval that ended; a webhook names its end instead', async () => {
      const hook = await listen();
      const [connected, plain] = [await enqueueFor(hook.url), await enqueueFor(hook.url)];
      const resolution = JSON.stringify({ validUntil: iso(clock.now()) });
      await database.transaction(async (trx) => {
        await trx.updateTable('inquiries').set({ resolution }).execute();
        const row = { config: '{}', answer: null, sealed: null, token_hash: connected.sourceId, changed_at: 0 };
        await trx
          .insertInto('connections')
          .values({ source_id: connected.sourceId, kind: 'webhook', ...row })
          .execute();
      });
      await dispatch().runDue();
      const [held, sent] = await Promise.all([connected, plain].map(({ inquiryId }) => only(inquiryId)));
      const attempt = { at: iso(clock.now()), error: 'approval ended', ms: 0 };
      assert.deepStrictEqual([held!.state, held!.attempts, sent!.state], ['gone', [attempt], 'delivered']);
      assert.equal(hook.heard.length, 1);
    });

    test('[DLV1] a webhook is given up after a day and can be replayed for another, 5 s after its last attempt', async () => {
      const hook = await listen((response) => response.writeHead(500).end());
      const { inquiryId, sourceId } = await enqueueFor(hook.url);
      const { id, createdAt } = await only(inquiryId);
      const dispatcher = dispatch();
      await dispatcher.runDue();
      await assert.rejects(replay(database, { id, viewer: { sourceId }, now: clock.now() }), {
        code: 'delivery.pending',
      });
      for (let { dueAt } = await only(inquiryId); dueAt !== undefined; { dueAt } = await only(inquiryId)) {
        clock.forward(Date.parse(dueAt) - clock.now());
        await dispatcher.runDue();
      }
      const given = await only(inquiryId);
      assert.equal(given.state, 'failed');
      assert.equal(given.attempts.at(-1)!.at, iso(Date.parse(createdAt) + DAY_MS));

      clock.forward(4_999);
      await assert.rejects(replay(database, { id, viewer: { sourceId }, now: clock.now() }), {
        status: 409,
        code: 'delivery.just_tried',
      });
      clock.forward(1);
      await assert.rejects(replay(database, { id, viewer: { sourceId: 'src_other' }, now: clock.now() }), {
        code: 'delivery.unknown',
      });
      assert.equal((await replay(database, { id, viewer: { sourceId }, now: clock.now() })).dueAt, iso(clock.now()));
      await dispatcher.runDue();
      const again = await only(inquiryId);
      assert.deepStrictEqual(
        [again.state, again.dueAt, again.attemptCount],
        ['pending', iso(clock.now() + 5_000), given.attemptCount + 1],
      );
    });

    test('[DLV1] what a process that died had leased goes out when the lease ends', async () => {
      const hook = await listen();
      const { inquiryId } = await enqueueFor(hook.url);
      const died = clock.now();
      await database.transaction((trx) =>
        trx
          .updateTable('deliveries')
          .set({ claimed_until: died + LEASE_MS })
          .execute(),
      );
      const dispatcher = dispatch();
      await dispatcher.runDue();
      assert.equal(hook.heard.length, 0);
      clock.forward(LEASE_MS);
      await dispatcher.runDue();
      assert.equal((await only(inquiryId)).state, 'delivered');
    });

    test('[DLV1] an endpoint that does not answer holds back no other and rests', async () => {
      const [slow, quick] = ['https://slow.example/', 'https://quick.example/'];
      const scene = await enqueueFor(slow);
      const behind = await addInquiry(database, scene);
      clock.forward(1);
      await enqueueNow(database, { ...scene, inquiryId: behind, at: clock.now() });
      const other = await addInquiry(database, scene);
      await enqueueNow(database, { ...scene, inquiryId: other, at: clock.now(), callbackUrl: quick });
      const delivered = Promise.withResolvers<string>();
      const timedOut = Promise.withResolvers<void>();
      const dispatcher = dispatch({
        counter: { inc: ({ outcome }) => delivered.resolve(outcome) },
        post: async ({ url }) => {
          if (url === quick) return { status: 200 };
          await timedOut.promise;
          return { error: 'timeout' };
        },
      });
      const running = dispatcher.runDue();
      assert.equal(await delivered.promise, 'delivered');
      timedOut.resolve();
      await running;
      const resting = [await only(scene.inquiryId), await only(behind)];
      assert.deepStrictEqual(
        resting.map(({ dueAt, attemptCount }) => ({ dueAt, attemptCount })),
        [
          { dueAt: iso(clock.now() + 30_000), attemptCount: 1 },
          { dueAt: iso(clock.now() + 30_000), attemptCount: 0 },
        ],
      );
    });

    test('[DLV1] a callback never reaches a private network, the owner’s webhook may', async () => {
      const hook = await listen();
      const scene = await addSource(database, hook.url, clock.now());
      await enqueueNow(database, { ...scene, at: clock.now(), callbackUrl: `${hook.url}callback` });
      await dispatch({ post: undefined }).runDue();
      const ended = await readDeliveries(database.read, scene.inquiryId);
      const states = new Map(ended.map(({ url, state, attempts }) => [url, [state, attempts[0]!.error]]));
      const expected = {
        [hook.url]: ['delivered', undefined],
        [`${hook.url}callback`]: ['pending', 'refused: private address'],
      };
      assert.deepStrictEqual(Object.fromEntries(states), expected);
      assert.equal(hook.heard.length, 1);
    });

    test('[DLV1] a stop gives back what it abandons, uncounted', async () => {
      const asked = Promise.withResolvers<void>();
      const hook = await listen(() => asked.resolve());
      const { inquiryId } = await enqueueFor(hook.url);
      const dispatcher = dispatch();
      dispatcher.wake();
      await asked.promise;
      await dispatcher.stop(0);
      const row = await database.read
        .selectFrom('deliveries')
        .select(['state', 'claimed_until', 'attempt_count'])
        .where('inquiry_id', '=', inquiryId)
        .executeTakeFirst();
      assert.deepStrictEqual({ ...row }, { state: 'pending', claimed_until: null, attempt_count: 0 });
    });

    test('[DLV1] once woken the dispatcher sends what falls due later by itself', async () => {
      const arrived = Promise.withResolvers<void>();
      const hook = await listen((response, nth) => {
        response.writeHead(nth === 1 ? 500 : 200).end();
        if (nth === 2) arrived.resolve();
      });
      await enqueueFor(hook.url);
      const dispatcher = dispatch();
      await dispatcher.runDue();
      clock.forward(4_900);
      dispatcher.wake();
      const moving = setInterval(() => clock.forward(50), 50);
      await arrived.promise;
      clearInterval(moving);
    });

    test('attempts are dropped after 7 days, and a restore gives up what is older', async () => {
      const hook = await listen((response) => response.writeHead(500).end());
      const { inquiryId } = await enqueueFor(hook.url);
      await dispatch().runDue();
      const sweep = async (now: number) => {
        await sweepAttempts(database, now);
        return (await only(inquiryId)).attempts.length;
      };
      assert.deepStrictEqual(
        [await sweep(clock.now() + 7 * DAY_MS), await sweep(clock.now() + 7 * DAY_MS + 1)],
        [1, 0],
      );
      assert.deepStrictEqual(
        [await giveUpOlder(database, clock.now()), await giveUpOlder(database, clock.now() + 1)],
        [0, 1],
      );
      assert.equal((await only(inquiryId)).state, 'failed');
    });
  });
});
