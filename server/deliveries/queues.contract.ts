import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { beforeEach } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { newId } from '#shared/ids.ts';
import { DAY_MS, iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { createOutbound, type Outgoing, type Sent } from '../platform/outbound/post.ts';
import { plansOf, readThrough } from '../platform/testing/explain.ts';
import { claimQueue } from './dispatch.ts';
import { mendQueues, nextDue, takeIn } from './queues.ts';
import { readDeliveries, readDeliveryPage } from './read.ts';
import { giveUpPast } from './settle.ts';
import { addInquiry, addSource, dispatcherFor, sendDue, testsOn, movableClock, enqueueNow } from './testing/scene.ts';

const MANY = 2_000;
const REASONS = {
  'http://user:pw@example.com/': 'refused: credentials in the address',
  'https://token@example.com/hook': 'refused: credentials in the address',
  'ftp://example.com/': 'refused: not http or https',
  'http://': 'refused: not an address',
  nonsense: 'refused: not an address',
  '': 'refused: not an address',
};
/** Their text differs from the address that is called. */
const ODD = [
  'HTTPS://EXAMPLE.COM/a',
  'https://example.com:443/b',
  'https://example.com./c',
  'https://bücher.example/d',
  'https://exa\tmple.com/e\n',
  'https:\\\\example.com\\f',
  'https:example.com/g',
  'http://0x7f.1/h',
  'https://example.com',
];

/** What webhook queues promise on either engine, whatever stands in a row. */
export function queuesContract(open: () => Database): void {
  const test = testsOn(open);
  beforeEach(() =>
    open().transaction(async (trx) => {
      await trx.deleteFrom('deliveries').execute();
      await trx.deleteFrom('delivery_queues').execute();
    }),
  );

  test('[DLV1] a stored address that can never be sent to fails with the reason and holds up nobody', async (database, clock) => {
    const scene = await addSource(database, null, clock.now());
    const inquiryIds: string[] = [];
    for (const url of Object.keys(REASONS)) {
      const inquiryId = await addInquiry(database, scene, clock.now());
      const id = newId('dlv', clock.now());
      const row = { id, source_id: scene.sourceId, inquiry_id: inquiryId, type: 'inquiry.resolved', url, body: '{}' };
      const due = { state: 'pending', created_at: 1, due_at: 1, give_up_at: clock.now() + DAY_MS };
      await database.transaction((trx) =>
        trx
          .insertInto('deliveries')
          .values({ ...row, ...due, typed_by_owner: 0, queue: id })
          .execute(),
      );
      inquiryIds.push(inquiryId);
    }
    const healthy = await addSource(database, 'https://healthy.example/', clock.now());
    await enqueueNow(database, { ...healthy, at: clock.now() });
    const outbound = createOutbound();
    await sendDue(database, {
      clock,
      post: async (outgoing) => (outgoing.url.includes('healthy') ? { status: 200 } : outbound.post(outgoing)),
    });
    await outbound.close();
    assert.equal((await readDeliveries(database.read, healthy.inquiryId))[0]?.state, 'delivered');
    const failed = await Promise.all(inquiryIds.map((id) => readDeliveries(database.read, id)));
    assert.deepStrictEqual(
      failed.flat().map(({ url, state, attempts }) => ({ url, state, attempts })),
      Object.entries(REASONS).map(([url, error]) => ({
        url,
        state: 'failed',
        attempts: [{ at: iso(clock.now()), error, ms: 0 }],
      })),
    );
  });

  test('[DLV1] a callback with a user name or an address that says nothing fails visibly when it falls due', async (database, clock) => {
    const scene = await addSource(database, 'nonsense', clock.now());
    await enqueueNow(database, { ...scene, at: clock.now(), callbackUrl: 'http://user:pw@example.com/' });
    await sendDue(database, { clock, post: undefined });
    const failed = await readDeliveries(database.read, scene.inquiryId);
    assert.deepStrictEqual(
      Object.fromEntries(failed.map(({ url, state, attempts }) => [url, [state, attempts[0]?.error]])),
      {
        nonsense: ['failed', 'refused: not an address'],
        'http://user:pw@example.com/': ['failed', 'refused: credentials in the address'],
      },
    );
  });

  test('[DLV1] an address whose text differs from its parsed form is sent', async (database, clock) => {
    const scene = await addSource(database, null, clock.now());
    for (const callbackUrl of ODD) {
      const inquiryId = await addInquiry(database, scene, clock.now());
      await enqueueNow(database, { ...scene, inquiryId, at: clock.now(), callbackUrl });
    }
    const sent: string[] = [];
    await sendDue(database, {
      clock,
      post: async ({ url }) => {
        sent.push(url);
        return { status: 200 };
      },
    });
    assert.deepStrictEqual(sent.toSorted(), ODD.map((url) => new URL(url).href).toSorted());
  });

  test('[DLV1] a row that cannot be signed or posted is tried with back-off, and others go out', async (database, clock) => {
    const [unsigned, thrown, healthy] = [
      await addSource(database, 'https://unsigned.example/', clock.now()),
      await addSource(database, 'https://thrown.example/', clock.now()),
      await addSource(database, 'https://healthy.example/', clock.now()),
    ];
    await database.transaction((trx) =>
      trx.updateTable('sources').set({ webhook_secret: '' }).where('id', '=', unsigned.sourceId).execute(),
    );
    for (const scene of [unsigned, thrown, healthy]) await enqueueNow(database, { ...scene, at: clock.now() });
    await sendDue(database, {
      clock,
      post: async ({ url }) => {
        if (url.includes('thrown')) throw new Error('unexpected');
        return { status: 200 };
      },
    });
    const [first, second, third] = await Promise.all(
      [unsigned, thrown, healthy].map(async ({ inquiryId }) => (await readDeliveries(database.read, inquiryId))[0]),
    );
    const backedOff = ['pending', iso(clock.now() + 5_000), [{ at: iso(clock.now()), error: 'internal error', ms: 0 }]];
    assert.deepStrictEqual([first?.state, first?.dueAt, first?.attempts], backedOff);
    assert.deepStrictEqual([second?.state, second?.dueAt, second?.attempts], backedOff);
    assert.equal(third?.state, 'delivered');
  });

  test('[DLV1] a webhook goes out at once while 100 endpoints hang, which then wait in a share of their own', async (database, clock) => {
    const { post, reached, sent, hangUp } = hangingHosts();
    const add = async (url: string): Promise<void> => {
      const scene = await addSource(database, url, clock.now());
      await enqueueNow(database, { ...scene, at: clock.now() });
    };
    for (let count = 0; count < 100; count++) await add(`https://hangs-${count}.example/`);
    const dispatcher = dispatcherFor(database, { clock, post });
    dispatcher.wake();
    await reached(100);
    await add('https://first.example/');
    dispatcher.wake();
    await sent('https://first.example/');
    await hangUp(() => dispatcher.runDue());

    clock.forward(30_000);
    dispatcher.wake();
    await reached(16);
    await add('https://second.example/');
    dispatcher.wake();
    await sent('https://second.example/');
    await reached(16);
    await hangUp(() => dispatcher.stop());
  });

  test('[DLV1] 100 hosts of one source that hang hold up no other source, and once known not its own either', async (database, clock) => {
    const { post, reached, sent, hangUp } = hangingHosts();
    const scene = await addSource(database, null, clock.now());
    const callback = async (callbackUrl: string, of = scene): Promise<void> => {
      const inquiryId = await addInquiry(database, of, clock.now());
      await enqueueNow(database, { ...of, inquiryId, at: clock.now(), callbackUrl });
    };
    for (let count = 0; count < 100; count++) await callback(`https://hangs-${count}.example/`);
    const dispatcher = dispatcherFor(database, { clock, post });
    dispatcher.wake();
    await reached(32);
    await callback('https://other.example/', await addSource(database, null, clock.now()));
    dispatcher.wake();
    await sent('https://other.example/');
    await reached(32);
    await hangUp(() => dispatcher.runDue());

    clock.forward(30_000);
    dispatcher.wake();
    await reached(4);
    await callback('https://own.example/');
    await callback('https://hangs-99.example/');
    dispatcher.wake();
    await sent('https://own.example/');
    await reached(4);
    await hangUp(() => dispatcher.stop());
  });

  test('[DLV1] a time-out is one update of its queue, however many webhooks wait in it', async (database, clock) => {
    const scene = await addSource(database, 'https://hangs.example/', clock.now());
    for (let count = 0; count < 30; count++)
      await enqueueNow(database, { ...scene, inquiryId: await addInquiry(database, scene), at: clock.now() + count });
    clock.forward(60);
    const waiting = () =>
      database.read
        .selectFrom('deliveries')
        .select(['id', 'due_at', 'slow', 'claimed_until', 'attempt_count'])
        .where('source_id', '=', scene.sourceId)
        .where('attempt_count', '=', 0)
        .orderBy('id')
        .execute();
    const before = await waiting();
    const posted: string[] = [];
    const dispatcher = dispatcherFor(database, {
      clock,
      post: async ({ headers }) => {
        posted.push(headers['webhook-id'] ?? '');
        return { error: 'timeout' };
      },
    });
    await dispatcher.runDue();
    clock.forward(29_999);
    await dispatcher.runDue();
    assert.deepStrictEqual(
      await waiting(),
      before.filter(({ id }) => id !== posted[0]),
    );
    const queue = await database.read.selectFrom('delivery_queues').selectAll().executeTakeFirstOrThrow();
    assert.deepStrictEqual(
      [queue.slow, queue.due_at, queue.rest_until, posted.length],
      [1, clock.now() + 1, clock.now() + 1, 1],
    );
    const [shown] = (await readDeliveryPage(database.read, { viewer: { sourceId: scene.sourceId }, limit: 1 })).items;
    assert.equal(shown?.dueAt, iso(clock.now() + 1));
    clock.forward(1);
    await dispatcher.runDue();
    assert.equal(posted.length, 2);
    await dispatcher.stop();
  });

  test(`a claim among ${MANY} queues that are all due looks up one, and reads no table through`, async (database, clock) => {
    const scene = await addSource(database, null, clock.now());
    const at = sql.lit(clock.now());
    await database.transaction((trx) =>
      sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(MANY)})
        insert into deliveries (id, source_id, inquiry_id, type, url, typed_by_owner, body, state, created_at, due_at, give_up_at, queue)
        select 'dlv_' || n, ${scene.sourceId}, ${scene.inquiryId}, 'inquiry.resolved', 'https://hooks.example', 0, '{}',
          'pending', ${at}, ${at}, ${sql.lit(clock.now() + DAY_MS)}, 'queue ' || n from numbers`.execute(trx),
    );
    while ((await takeIn(database)) > 0);
    await enqueueNow(database, { ...scene, at: clock.now(), callbackUrl: 'https://other.example' });
    if (database.engine === 'postgres') await sql`analyze`.execute(database.read);
    const turn = { clock, slow: false, busy: { keys: ['queue 1', 'queue 2'], groups: [] } };
    const full = { ...turn, busy: { keys: [], groups: [scene.sourceId, 'src_a'] } };
    const plans = await plansOf(database, async (watched) => {
      await claimQueue(watched, full);
      await claimQueue(watched, turn);
      await nextDue(watched, clock.now());
    });
    const through = readThrough(plans, { tables: ['deliveries', 'delivery_queues'], small: ['deliveries_new'] });
    assert.deepStrictEqual([through, plans.length > 20], [[], true]);
  });

  test('[DLV1] webhooks whose queue is gone or due too late, as an older node leaves it, are sent within the hour', async () => {
    const database = { ...open(), clock: movableClock() };
    const { clock } = database;
    const healthy = await addSource(database, 'https://healthy.example/', clock.now());
    const urls = ['https://gone.example/', 'https://late.example/', 'https://waits.example/'];
    for (const callbackUrl of urls) {
      const inquiryId = await addInquiry(database, healthy, clock.now());
      await enqueueNow(database, { ...healthy, inquiryId, at: clock.now(), callbackUrl });
    }
    const posted: string[] = [];
    let status = 500;
    const dispatcher = dispatcherFor(database, {
      clock,
      post: async ({ url }) => {
        posted.push(url);
        return { status };
      },
    });
    await dispatcher.runDue();
    status = 204;
    clock.forward(DAY_MS / 2);
    const soon = clock.now() + 120_000;
    await database.transaction(async (trx) => {
      await trx
        .updateTable('delivery_queues')
        .set({ due_at: clock.now() + DAY_MS })
        .execute();
      await trx.deleteFrom('delivery_queues').where('queue', 'like', '%gone.example').execute();
      // Nothing of it is due: its queue is as it should be.
      await trx.updateTable('deliveries').set({ due_at: soon }).where('queue', 'like', '%waits.example').execute();
    });
    posted.length = 0;
    await dispatcher.runDue();
    const found: unknown[] = [[...posted], await mendQueues(database)];
    await dispatcher.runDue();
    await dispatcher.stop();
    const left = database.read.selectFrom('delivery_queues').select('queue');
    const waiting = (await left.execute()).map(({ queue }) => queue.split(' ').at(-1));
    found.push(new Set(posted), await mendQueues(database), waiting);
    const healed = new Set([...urls.slice(0, 2), 'https://healthy.example/']);
    assert.deepStrictEqual(found, [[], 3, healed, 0, ['https://waits.example']]);
  });

  test('[DLV1] what stands behind an endpoint that hangs is given up after its day, in parts', async (database, clock) => {
    const scene = await addSource(database, 'https://hangs.example/', clock.now());
    const healthy = await addSource(database, 'https://healthy.example/', clock.now());
    await enqueueNow(database, { ...scene, at: clock.now() });
    await enqueueNow(database, { ...healthy, at: clock.now() });
    const { url, queue } = await database.read
      .selectFrom('deliveries')
      .select(['url', 'queue'])
      .where('source_id', '=', scene.sourceId)
      .executeTakeFirstOrThrow();
    const [at, until] = [clock.now(), clock.now() + DAY_MS];
    const rows = Array.from({ length: 600 }, () => {
      const row = {
        id: newId('dlv', at),
        source_id: scene.sourceId,
        inquiry_id: scene.inquiryId,
        url,
        queue,
        body: '{}',
      };
      const due = { state: 'pending', created_at: at, due_at: at, give_up_at: until, typed_by_owner: 0 };
      return { ...row, ...due, type: 'inquiry.resolved' };
    });
    await database.transaction((trx) => trx.insertInto('deliveries').values(rows).execute());
    const post = async ({ url: to }: Outgoing): Promise<Sent> =>
      to.includes('healthy') ? { status: 500 } : { error: 'timeout' };
    await sendDue(database, { clock, post });
    const log = pino({ level: 'silent' });
    assert.equal(await giveUpPast(database, log, until), false);
    assert.equal(await giveUpPast(database, log, until + 1), true);
    assert.equal(await giveUpPast(database, log, until + 1), false);
    const states = await database.read
      .selectFrom('deliveries')
      .select(['source_id', 'state', ({ fn }) => fn.countAll().as('count')])
      .groupBy(['source_id', 'state'])
      .execute();
    assert.deepStrictEqual(
      new Map(states.map(({ source_id, state, count }) => [`${source_id} ${state}`, Number(count)])),
      new Map([
        [`${scene.sourceId} failed`, 601],
        [`${healthy.sourceId} pending`, 1],
      ]),
    );
  });

  test('[DLV1] what an older node made due is sent by a newer one', async (database, clock) => {
    const scene = await addSource(database, 'https://hooks.example/', clock.now());
    await enqueueNow(database, { ...scene, at: clock.now() });
    let status = 410;
    const dispatcher = dispatcherFor(database, { clock, post: async () => ({ status }) });
    await dispatcher.runDue();
    // An older node knows of no queue: this is its replay.
    status = 204;
    await database.transaction((trx) =>
      trx.updateTable('deliveries').set({ state: 'pending', due_at: clock.now(), claimed_until: null }).execute(),
    );
    await dispatcher.runDue();
    await dispatcher.stop();
    assert.equal((await readDeliveries(database.read, scene.inquiryId))[0]?.state, 'delivered');
    assert.deepStrictEqual(await database.read.selectFrom('delivery_queues').selectAll().execute(), []);
  });

  test('[DLV1] an endpoint that answers quickly again leaves the share of those that hang', async (database, clock) => {
    const scene = await addSource(database, 'https://hooks.example/', clock.now());
    const replies = [
      { sent: { error: 'timeout' }, ms: 10_000 },
      { sent: { status: 500 }, ms: 2_000 },
      { sent: { status: 500 }, ms: 1_999 },
    ];
    const slow: number[] = [];
    // Keeps the queue, which ends with the last webhook that waits in it.
    await enqueueNow(database, { ...scene, at: clock.now() + DAY_MS });
    for (const { sent, ms } of replies) {
      await enqueueNow(database, { ...scene, inquiryId: await addInquiry(database, scene), at: clock.now() });
      await sendDue(database, {
        clock,
        post: async () => {
          clock.forward(ms);
          return sent;
        },
      });
      const queue = database.read.selectFrom('delivery_queues').select('slow');
      slow.push((await queue.where('source_id', '=', scene.sourceId).executeTakeFirstOrThrow()).slow);
      clock.forward(60_000);
    }
    assert.deepStrictEqual(slow, [1, 1, 0]);
  });
}

/** Requests to hosts whose name begins with "hangs" time out when the test says so, all others are answered at once. */
function hangingHosts() {
  const news = new EventEmitter();
  const heard: string[] = [];
  let hanging = 0;
  let held = Promise.withResolvers<void>();
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await once(news, 'request');
  };
  return {
    post: async ({ url }: Outgoing): Promise<Sent> => {
      heard.push(url);
      const hangs = url.startsWith('https://hangs');
      if (hangs) hanging++;
      news.emit('request');
      if (!hangs) return { status: 200 };
      await held.promise;
      hanging--;
      return { error: 'timeout' };
    },
    /** Resolves when so many requests hang at once; fails when there are more. */
    async reached(count: number): Promise<void> {
      await until(() => hanging >= count);
      assert.equal(hanging, count);
    },
    sent: (url: string): Promise<void> => until(() => heard.includes(url)),
    async hangUp(ended: () => Promise<void>): Promise<void> {
      held.resolve();
      await ended();
      held = Promise.withResolvers();
    },
  };
}
