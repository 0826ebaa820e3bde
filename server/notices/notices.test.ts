import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Http } from '../platform/http/server.ts';
import { pino } from 'pino';
import { newId } from '#shared/ids.ts';
import { ensureOwner } from '../people/owner.ts';
import type { Caller } from '../platform/http/access.ts';
import { sharedDatabase } from '../platform/testing/database.ts';
import { createHttp } from '../platform/http/http.ts';
import { createSource } from '../sources/create.ts';
import { forgetNotices } from './store.ts';
import { noticeRoutes } from './routes.ts';

const database = await sharedDatabase();
const callers = new Map<string, Caller>();
let told: unknown[] = [];
let app: Http;
let ownerId: string;
let source: { id: string; name: string };

before(async () => {
  const owner = await ensureOwner(database);
  ownerId = owner.id;
  ({ source } = await createSource(database, owner.id, { name: 'CI' }));
  callers.set('ci', { kind: 'source', id: source.id, name: source.name, ownerId });
  const bobId = newId('per', 0);
  await database.transaction((trx) =>
    trx.insertInto('people').values({ id: bobId, handle: 'bob', name: 'Bob', created_at: 0 }).execute(),
  );
  for (const person of [owner, { ...owner, id: bobId, handle: 'bob', owner: false }]) {
    callers.set(person.handle, {
      kind: 'device',
      id: newId('dev', 0),
      name: 'Phone',
      person: { ...person, locale: undefined },
    });
  }
  app = await createHttp({
    log: pino({ level: 'silent' }),
    findCaller: async (token) => callers.get(token) ?? 'unknown',
    origins: () => [],
    trustProxy: 0,
    rateLimit: 10_000,
  });
  const toPerson = (...event: unknown[]) => void told.push(event);
  noticeRoutes(app, { database, announce: { toPerson }, wakePushes: () => undefined });
});
describe('notices', () => {
  beforeEach(async () => {
    told = [];
    await database.transaction((trx) => trx.deleteFrom('notices').execute());
  });
  after(() => app.close());

  async function call(as: string, method: 'GET' | 'POST', url: string, body?: object) {
    const headers = { authorization: `Bearer ${as}`, ...(body ? { 'content-type': 'application/json' } : {}) };
    const reply = await app.inject({ method, url, headers, ...(body ? { payload: JSON.stringify(body) } : {}) });
    return { status: reply.statusCode, body: reply.body === '' ? undefined : reply.json() };
  }

  describe('notices', () => {
    test('a notice goes to the owner by default and is told once', async () => {
      const sent = await call('ci', 'POST', '/v1/notices', {
        title: 'Deployed',
        body: 'v2',
        link: 'https://example.com/v2',
        key: 'v2',
      });
      const { id: _id, at: _at, ...notice } = sent.body;
      assert.equal(sent.status, 201);
      assert.deepStrictEqual(notice, {
        title: 'Deployed',
        body: 'v2',
        link: 'https://example.com/v2',
        urgency: 'normal',
        privacy: 'title',
        source: { id: source.id, name: 'CI' },
      });
      assert.deepStrictEqual(told, [[ownerId, 'notice', { notice: sent.body }]]);
      assert.deepStrictEqual(await call('owner', 'GET', '/v1/notices'), { status: 200, body: { items: [sent.body] } });
      assert.deepStrictEqual(await call('bob', 'GET', '/v1/notices'), { status: 200, body: { items: [] } });
    });

    test('the same key returns the same notice and tells nobody again, another notice is refused', async () => {
      const first = await call('ci', 'POST', '/v1/notices', { title: 'Deployed', key: 'k' });
      assert.deepStrictEqual(
        await call('ci', 'POST', '/v1/notices', { urgency: 'normal', key: 'k', title: 'Deployed' }),
        { status: 200, body: first.body },
      );
      const other = await call('ci', 'POST', '/v1/notices', { title: 'Failed', key: 'k' });
      assert.deepStrictEqual([other.status, other.body.code], [409, 'notice.key_reused']);
      assert.equal(told.length, 1);
    });

    test('of one source a person gets 60 notices in an hour', async () => {
      const send = (more: object) => call('ci', 'POST', '/v1/notices', { title: 'Deployed', ...more });
      const first = await send({});
      for (let count = 1; count < 59; count++) await send({});
      const last = await send({ key: 'last' });
      const { at } = first.body;
      const next = new Date(Date.parse(at) + 3_600_000).toISOString();
      const refused = await send({});
      assert.deepStrictEqual(
        [refused.status, refused.body.code, refused.body.detail],
        [
          429,
          'notice.too_many',
          `This source sent "owner" 60 notices within an hour; the next one is taken at ${next}. Gather several in one.`,
        ],
      );
      assert.deepStrictEqual(await send({ key: 'last' }), { status: 200, body: last.body });
      assert.equal(told.length, 60);
    });

    test('[ASK3] a notice with faults is refused and told to nobody', async () => {
      const faulty = await call('ci', 'POST', '/v1/notices', { link: 'javascript:alert(1)', extra: 1 });
      assert.equal(faulty.status, 422);
      assert.deepStrictEqual(faulty.body.faults.map(({ path }: { path: string }) => path).toSorted(), [
        '/extra',
        '/link',
        '/title',
      ]);
      const refused = await call('ci', 'POST', '/v1/notices', { title: 'Hi', to: ['nobody', 'bob'] });
      assert.deepStrictEqual(
        [refused.status, refused.body.faults.map(({ code }: { code: string }) => code)],
        [422, ['handle.unknown', 'handle.unknown']],
      );
      assert.deepStrictEqual([told, (await call('bob', 'GET', '/v1/notices')).body], [[], { items: [] }]);
    });

    test('a notice read on one device is cleared on all, once', async () => {
      const { id } = (await call('ci', 'POST', '/v1/notices', { title: 'Deployed' })).body;
      told = [];
      assert.deepStrictEqual(
        [
          await call('owner', 'POST', `/v1/notices/${id}/read`),
          await call('owner', 'POST', `/v1/notices/${id}/read`),
        ].map(({ status }) => status),
        [204, 204],
      );
      assert.deepStrictEqual(told, [[ownerId, 'notice_read', { noticeId: id }]]);
      assert.equal(typeof (await call('owner', 'GET', '/v1/notices')).body.items[0].readAt, 'string');
      assert.deepStrictEqual((await call('owner', 'GET', '/v1/notices?unread=true')).body, { items: [] });
      assert.equal((await call('bob', 'POST', `/v1/notices/${id}/read`)).body.code, 'notice.unknown');
      assert.equal((await call('owner', 'POST', '/v1/notices/a%00b/read')).status, 422);
    });

    test('notices come newest first in pages and go after their time', async () => {
      for (const title of ['1', '2', '3']) await call('ci', 'POST', '/v1/notices', { title });
      const all: string[] = [];
      let query = '?limit=2';
      for (;;) {
        const { items, nextCursor } = (await call('owner', 'GET', `/v1/notices${query}`)).body;
        all.push(...items.map(({ id }: { id: string }) => id));
        if (nextCursor === undefined) break;
        query = `?limit=2&cursor=${nextCursor}`;
      }
      assert.equal(new Set(all).size, 3);
      assert.deepStrictEqual(all, all.toSorted().toReversed());
      const now = database.clock.now();
      assert.deepStrictEqual(
        [
          await forgetNotices(database, 1, now + 86_400_000 - 60_000),
          await forgetNotices(database, 1, now + 86_460_000),
        ],
        [0, 3],
      );
    });

    test('[RES5] a source reads no notices, and a device sends none', async () => {
      const refused = [
        await call('ci', 'GET', '/v1/notices'),
        await call('owner', 'POST', '/v1/notices', { title: 'x' }),
      ];
      assert.deepStrictEqual(
        refused.map(({ status, body }) => [status, body.code]),
        [
          [403, 'credential.wrong_kind'],
          [403, 'credential.wrong_kind'],
        ],
      );
    });
  });
});
