import { deepStrictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { addSource, dispatcherFor, enqueueNow, movableClock } from '../deliveries/testing/scene.ts';
import { ensureOwner } from '../people/owner.ts';
import { HOUR_MS } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { changeSource } from '../sources/change.ts';
import { removeSource } from '../sources/store.ts';
import { tellFailing } from './failing.ts';
import { listNotices } from './read.ts';

/** What the owner is told of endpoints that fail, on either engine. */
export function failingContract(open: (t: TestContext) => Promise<Database>): void {
  async function scene(t: TestContext) {
    const base = await open(t);
    const clock = movableClock();
    const database: Database = { ...base, clock };
    const owner = await ensureOwner(database);
    const told: string[] = [];
    let status = 503;
    const dispatcher = dispatcherFor(database, { clock, post: async () => ({ status }) });
    const announce = { toPerson: (_id: string, name: string) => void told.push(name) };
    const notices = { database, announce, wakePushes: () => undefined };
    return {
      database,
      clock,
      told,
      reply: (next: number) => (status = next),
      source: (url: string) => addSource(database, url, clock.now()),
      enqueue: (one: { sourceId: string; inquiryId: string }, callbackUrl?: string) =>
        enqueueNow(database, { ...one, at: clock.now(), callbackUrl }),
      send: () => dispatcher.runDue(),
      /** Both nodes look at the same moment. */
      tell: () => Promise.all([1, 2].map(() => tellFailing(notices, () => 'https://hub.example'))),
      unread: async () => (await listNotices(database.read, { personId: owner.id, unread: true, limit: 50 })).items,
      stop: async () => {
        await dispatcher.stop();
        await database.transaction((trx) => trx.deleteFrom('failing_endpoints').execute());
      },
    };
  }

  test('[DLV1] the owner is told once of an endpoint that failed for an hour, until it works again', async (t) => {
    const s = await scene(t);
    const one = await s.source('https://ci.example/hook');
    await s.enqueue(one);
    await s.send();
    s.clock.forward(HOUR_MS - 1);
    await s.send();
    await s.tell();
    deepStrictEqual([s.told, await s.unread()], [[], []]);
    s.clock.forward(1);
    await s.tell();
    await s.tell();
    const [notice, ...more] = await s.unread();
    deepStrictEqual(
      [notice?.title, notice?.link, notice?.source.id, more.length, s.told.length],
      [
        'Answers have not reached ci.example for an hour',
        `https://hub.example/sources/${one.sourceId}`,
        one.sourceId,
        0,
        1,
      ],
    );
    s.reply(200);
    s.clock.forward(HOUR_MS);
    await s.send();
    await s.tell();
    deepStrictEqual([await s.unread(), s.told.at(-1), s.told.length], [[], 'notice_read', 2]);
    // The next failure is another one.
    s.reply(500);
    await s.enqueue(one);
    await s.send();
    await s.tell();
    s.clock.forward(HOUR_MS);
    await s.tell();
    deepStrictEqual([(await s.unread()).length, s.told.length], [1, 3]);
    await removeSource(s.database, one.sourceId);
    await s.tell();
    deepStrictEqual(await s.unread(), []);
    await s.stop();
  });

  test('[DLV1] the notice names what can be done on the page that it leads to, where a connection has neither attempts nor a pause', async (t) => {
    const s = await scene(t);
    const one = await s.source('https://ci.example/hook');
    const other = await s.source('https://platform.example/hook');
    const sealed = { config: '{}', answer: null, sealed: null, token_hash: other.sourceId, changed_at: 0 };
    const connection = { source_id: other.sourceId, kind: 'webhook', ...sealed };
    await s.database.transaction((trx) => trx.insertInto('connections').values(connection).execute());
    for (const each of [one, other]) await s.enqueue(each);
    await s.send();
    s.clock.forward(HOUR_MS);
    await s.tell();
    const told = (await s.unread()).map(({ source, link, body }) => [source.id, { link, body }] as const);
    deepStrictEqual(Object.fromEntries(told), {
      [one.sourceId]: {
        link: `https://hub.example/sources/${one.sourceId}`,
        body: 'They are tried for a day. Its page shows the attempts; there they can be tried now, replayed and paused.',
      },
      [other.sourceId]: {
        link: `https://hub.example/connections/${other.sourceId}`,
        body: 'They are tried for a day. Its page shows which of them arrived.',
      },
    });
    await removeSource(s.database, other.sourceId);
    await s.tell();
    deepStrictEqual(
      (await s.unread()).map(({ source }) => source.id),
      [one.sourceId],
    );
    await removeSource(s.database, one.sourceId);
    await s.tell();
    await s.stop();
  });

  test('[DLV1] of the origins that a source invents 100 are kept, and another source has its own', async (t) => {
    const s = await scene(t);
    const one = await s.source('https://a.example/');
    const two = await s.source('https://z.example/');
    const invented = Array.from({ length: 99 }, (_, nth) => `${one.sourceId} https://${nth}.example`);
    const rows = invented.map((queue) => ({ queue, source_id: one.sourceId, since: s.clock.now() }));
    await s.database.transaction((trx) => trx.insertInto('failing_endpoints').values(rows).execute());
    const kept = async () => {
      const found = await s.database.read.selectFrom('failing_endpoints').select(['queue', 'since']).execute();
      return Object.fromEntries(found.map(({ queue, since }) => [queue, Number(since)]));
    };
    const began = s.clock.now();
    await s.enqueue(one);
    await s.enqueue(two);
    await s.send();
    s.clock.forward(60_000);
    await s.enqueue(one, 'https://one-more.example/');
    await s.send();
    const all = [...invented, `${one.sourceId} https://a.example`, `${two.sourceId} https://z.example`];
    deepStrictEqual(await kept(), Object.fromEntries(all.map((queue) => [queue, began])));
    // What is over makes room.
    for (const { sourceId } of [one, two]) await changeSource(s.database, sourceId, { webhooksPaused: false });
    // It removes 100 at a time.
    await s.tell();
    await s.tell();
    deepStrictEqual(await kept(), {});
    await s.enqueue(one, 'https://one-more.example/');
    const again = s.clock.now();
    await s.send();
    deepStrictEqual((await kept())[`${one.sourceId} https://one-more.example`], again);
    for (const { sourceId } of [one, two]) await removeSource(s.database, sourceId);
    await s.tell();
    deepStrictEqual(await kept(), {});
    await s.stop();
  });

  test('[DLV1] a source with many dead addresses is one notice, and a paused one is none', async (t) => {
    const s = await scene(t);
    const one = await s.source('https://a.example/');
    for (const host of ['b', 'c', 'd']) await s.enqueue(one, `https://${host}.example/`);
    const two = await s.source('https://z.example/');
    await s.enqueue(two);
    await s.send();
    s.clock.forward(HOUR_MS);
    await s.tell();
    await s.tell();
    deepStrictEqual(
      (await s.unread()).map(({ source }) => source.id).toSorted(),
      [one.sourceId, two.sourceId].toSorted(),
    );
    await changeSource(s.database, one.sourceId, { webhooksPaused: true });
    await s.tell();
    s.clock.forward(HOUR_MS);
    await s.send();
    await s.tell();
    deepStrictEqual(
      (await s.unread()).map(({ source }) => source.id),
      [two.sourceId],
    );
    await s.stop();
  });
}
