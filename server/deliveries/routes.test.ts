import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Http } from '../platform/http/server.ts';
import { pino } from 'pino';
import type { Database } from '../platform/database.ts';
import { openDatabase } from '../platform/engines/open.ts';
import type { Caller } from '../platform/http/access.ts';
import { createHttp } from '../platform/http/http.ts';
import { deliveryRoutes } from './routes.ts';
import type { WebhookDelivery } from '#shared/schemas/deliveries.ts';
import { addInquiry, addSource, dispatcherFor, enqueueNow } from './testing/scene.ts';

const folder = mkdtempSync(join(tmpdir(), 'beckon-delivery-routes-'));
let database: Database;
let app: Http;
let woken = 0;

before(async () => {
  database = await openDatabase({ dataDir: folder });
  // A person's device shows the id of its person, the owner's with "~owner" behind it.
  const findCaller = async (token: string): Promise<Caller> => {
    if (token.startsWith('src_')) return { kind: 'source', id: token, name: 'CI', ownerId: '' };
    const [id = '', owner] = token.split('~');
    return {
      kind: 'device',
      id: 'dev_x',
      name: 'Phone',
      person: { id, handle: 'x', name: 'X', owner: owner === 'owner', locale: undefined },
    };
  };
  app = await createHttp({
    log: pino({ level: 'silent' }),
    findCaller,
    origins: () => [],
    trustProxy: 0,
    rateLimit: 10_000,
  });
  deliveryRoutes(app, { database, dispatcher: { wake: () => void woken++ } });
});
after(async () => {
  await app.close();
  await database.close();
  rmSync(folder, { recursive: true });
});

async function call(sourceId: string, url: string, method: 'GET' | 'POST' = 'GET') {
  const reply = await app.inject({ method, url, headers: { authorization: `Bearer ${sourceId}` } });
  return { status: reply.statusCode, body: reply.json() };
}

describe('the webhooks of a source', () => {
  test('[DLV1] a source lists, reads and replays its own webhooks and no others', async () => {
    const scene = await addSource(database, 'https://example.com/');
    // Nothing is replayed within 5 s of its last attempt.
    const at = Date.now() - 10_000;
    for (let nth = 0; nth < 3; nth++)
      await enqueueNow(database, { ...scene, inquiryId: await addInquiry(database, scene), at: at + nth });
    const dispatcher = dispatcherFor(database, { clock: { now: () => at + 1 }, post: async () => ({ status: 410 }) });
    await dispatcher.runDue();
    await dispatcher.stop();

    const { items, nextCursor } = (await call(scene.sourceId, '/v1/deliveries?limit=2')).body;
    assert.deepStrictEqual(
      items.map(({ state, attemptCount }: { state: string; attemptCount: number }) => [state, attemptCount]),
      [
        ['pending', 0],
        ['gone', 1],
      ],
    );
    const rest = (await call(scene.sourceId, `/v1/deliveries?cursor=${nextCursor}`)).body;
    assert.deepStrictEqual([rest.items.length, rest.nextCursor], [1, undefined]);
    assert.deepStrictEqual((await call(scene.sourceId, '/v1/deliveries?state=pending')).body, { items: [items[0]] });

    const [pending, gone] = items.map(({ id }: { id: string }) => `/v1/deliveries/${id}`);
    const { body, ...shown } = (await call(scene.sourceId, gone)).body;
    assert.deepStrictEqual([shown, JSON.parse(body).type], [items[1], 'inquiry.resolved']);
    const early = await call(scene.sourceId, `${pending}/replay`, 'POST');
    assert.deepStrictEqual([early.status, early.body.code, woken], [409, 'delivery.pending', 0]);
    const replayed = await call(scene.sourceId, `${gone}/replay`, 'POST');
    assert.deepStrictEqual(
      [replayed.status, replayed.body.state, replayed.body.attempts, woken],
      [200, 'pending', items[1].attempts, 1],
    );

    const { sourceId: stranger } = await addSource(database, null);
    assert.deepStrictEqual((await call(stranger, '/v1/deliveries')).body, { items: [] });
    const refused = [await call(stranger, gone), await call(stranger, `${gone}/replay`, 'POST')];
    assert.deepStrictEqual(
      refused.map(({ status, body }) => [status, body.code]),
      [
        [404, 'delivery.unknown'],
        [404, 'delivery.unknown'],
      ],
    );
  });

  test('[SEC1] the owner sees the webhooks of every source, and of a question only where they were asked', async () => {
    const [mine, theirs] = [await addSource(database, 'https://a.example/'), await addSource(database, null)];
    const at = Date.now();
    await enqueueNow(database, { ...mine, at });
    await enqueueNow(database, { ...theirs, at: at + 1, callbackUrl: 'https://b.example/' });
    const owner = `${mine.personId}~owner`;
    const listed = async (query: string) =>
      (await call(owner, `/v1/deliveries?${query}`)).body.items.map((item: WebhookDelivery) => [
        item.sourceId,
        item.title,
        item.body,
      ]);
    assert.deepStrictEqual(await listed('limit=2'), [
      [theirs.sourceId, undefined, undefined],
      [mine.sourceId, '', undefined],
    ]);
    assert.deepStrictEqual(await listed(`source=${mine.sourceId}`), [[mine.sourceId, '', undefined]]);
    const [{ id: foreign }, { id: own }] = (await call(owner, '/v1/deliveries?limit=2')).body.items;
    assert.deepStrictEqual(
      [
        (await call(owner, `/v1/deliveries/${foreign}`)).body.body,
        'body' in (await call(owner, `/v1/deliveries/${own}`)).body,
      ],
      [undefined, true],
    );
    // A source that names another one finds nothing of it.
    assert.deepStrictEqual((await call(mine.sourceId, `/v1/deliveries?source=${theirs.sourceId}`)).body, { items: [] });
    const member = [
      await call(mine.personId, '/v1/deliveries'),
      await call(mine.personId, `/v1/deliveries/${own}`),
      await call(mine.personId, `/v1/deliveries/${own}/now`, 'POST'),
      await call(mine.personId, `/v1/deliveries/${own}/replay`, 'POST'),
    ];
    assert.deepStrictEqual(
      member.map(({ status, body }) => `${status} ${body.code}`),
      ['403 person.not_owner', ...Array(3).fill('404 delivery.unknown')],
    );
  });

  test('[SEC1] of a callback the owner sees only the origin where they were not asked, and what they typed as it is', async () => {
    const [mine, theirs] = [await addSource(database, null), await addSource(database, 'https://a.example/typed?k=1')];
    const at = Date.now();
    const path = 'run/7?token=t';
    await enqueueNow(database, { ...mine, at, callbackUrl: `https://c.example/${path}` });
    await enqueueNow(database, { ...theirs, at, callbackUrl: `https://ada:pw@b.example/${path}` });
    const odd = await addInquiry(database, theirs);
    await enqueueNow(database, { ...theirs, inquiryId: odd, at, callbackUrl: path });
    const urlsOf = async (caller: string, of: string) => {
      const { items } = (await call(caller, `/v1/deliveries?source=${of}`)).body as { items: WebhookDelivery[] };
      const one = await Promise.all(items.map(async ({ id }) => (await call(caller, `/v1/deliveries/${id}`)).body.url));
      assert.deepStrictEqual(
        one,
        items.map(({ url }) => url),
      );
      return one.toSorted();
    };
    const owner = `${mine.personId}~owner`;
    const typed = 'https://a.example/typed?k=1';
    assert.deepStrictEqual(
      [
        await urlsOf(owner, mine.sourceId),
        await urlsOf(owner, theirs.sourceId),
        await urlsOf(theirs.sourceId, theirs.sourceId),
      ],
      [
        [`https://c.example/${path}`],
        ['', typed, typed, 'https://b.example'],
        [typed, typed, `https://ada:pw@b.example/${path}`, path],
      ],
    );
  });

  test('[ASK3] a list that cannot be is refused in words', async () => {
    const statuses = await Promise.all(
      ['?limit=0', '?limit=101', '?state=lost', '?source=x', '?cursor=%00'].map(
        async (query) => (await call('src_x', `/v1/deliveries${query}`)).status,
      ),
    );
    assert.deepStrictEqual(statuses, [422, 422, 422, 422, 422]);
  });
});
