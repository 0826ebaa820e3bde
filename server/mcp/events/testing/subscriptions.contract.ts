import { deepStrictEqual, rejects, strictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { sendDue } from '../../../deliveries/testing/scene.ts';
import { readDeliveries } from '../../../deliveries/read.ts';
import { answerInquiry } from '../../../inquiries/answer.ts';
import { sweep } from '../../../inquiries/expire.ts';
import type { Place } from '../../../inquiries/testing/place.ts';
import { withdrawInquiry } from '../../../inquiries/withdraw.ts';
import { DAY_MS, HOUR_MS } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database.ts';
import type { Steps } from '../../../platform/steps.ts';
import { planOf } from '../../../platform/testing/explain.ts';
import { createSourceForEverybody } from '../../../sources/create.ts';
import type { Outgoing } from '../../../platform/outbound/post.ts';
import { toSubscriber } from '../endpoint.ts';
import { removeSource } from '../../../sources/store.ts';
import { endedSince, poll } from '../poll.ts';
import { drop, endOver, grantUntil, isTold, keep, MOST, subscriptionId } from '../subscriptions.ts';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const wanted = (path = '', inquiryId?: string) => ({
  name: 'inquiry.resolved',
  arguments: inquiryId === undefined ? {} : { inquiryId },
  delivery: { url: `https://agent.example/${path}` },
});

/** What a hub keeps of who subscribed, and what it writes down and shows of what ended. */
export function subscriptionsContract(place: (t: TestContext) => Promise<Place>): void {
  const open = async (t: TestContext) => {
    const here = await place(t);
    const { database, inquiries, sourceId } = here;
    const { owner_id } = await database.read.selectFrom('sources').select('owner_id').executeTakeFirstOrThrow();
    const { source: other } = await createSourceForEverybody(database, owner_id, 'Other');
    const renew = (asked = wanted(), more: { ttlMs?: number | null; secret?: string; of?: string } = {}) =>
      keep(database, inquiries.sealingKey, more.of ?? sourceId, {
        wanted: asked,
        secret: more.secret ?? SECRET,
        ttlMs: more.ttlMs,
      });
    const flag = async () =>
      (await database.read.selectFrom('sources').select('subscribed').where('id', '=', sourceId).executeTakeFirst())
        ?.subscribed;
    const end = (id: string, of = sourceId) => withdrawInquiry(inquiries, of, id, undefined);
    const told = async (id: string) => (await readDeliveries(database.read, id)).map(({ url }) => url);
    return { ...here, otherId: other.id, renew, flag, end, told };
  };

  test('no wish for a time is refused: it is clamped, and nobody gets for ever', () => {
    const granted = [undefined, null, -1, 0.5, 120_000, 1e300].map((ttlMs) => grantUntil(ttlMs, 0));
    deepStrictEqual(granted, [HOUR_MS, 7 * DAY_MS, 60_000, 60_000, 120_000, 7 * DAY_MS]);
  });

  test('[DLV6] what is to be told is written with what ended, and nothing where nobody subscribed or its time is over', async (t) => {
    const { ask, renew, flag, end, told, pass, database, sourceId, inquiries } = await open(t);
    const before = await ask({ prompt: 'Before?' });
    await end(before);
    deepStrictEqual([await told(before), await flag()], [[], 0]);
    const one = await ask({ prompt: 'One?' });
    const { id } = await renew(wanted('all'));
    await renew(wanted('one', one));
    deepStrictEqual([id, await flag()], [subscriptionId(sourceId, wanted('all')), 1]);
    const another = await ask({ prompt: 'Another?' });
    await end(one);
    await end(another);
    deepStrictEqual((await told(one)).toSorted(), ['https://agent.example/all', 'https://agent.example/one']);
    deepStrictEqual(await told(another), ['https://agent.example/all']);
    // The same event has one id, wherever it is told.
    const bodies = await database.read.selectFrom('deliveries').select('body').where('inquiry_id', '=', one).execute();
    strictEqual(new Set(bodies.map(({ body }) => body)).size, 1);
    const expiring = await ask({ prompt: 'Expires?', deadline: 60 });
    pass(61_000);
    await sweep(inquiries);
    deepStrictEqual(await told(expiring), ['https://agent.example/all']);
    pass(HOUR_MS);
    const after = await ask({ prompt: 'After?' });
    await end(after);
    deepStrictEqual([await told(after), await isTold(database, sourceId, after)], [[], false]);
    deepStrictEqual(await endOver(database), []);
    strictEqual(await flag(), 0);
  });

  test('an answer costs a source without subscriptions no statement and no step more', async (t) => {
    const { ask, renew, database, inquiries, sourceId, phone } = await open(t);
    /** The statements of an answer, step by step. */
    const stepsOf = async (prompt: string): Promise<string[][]> => {
      const id = await ask({ prompt });
      const steps: string[][] = [];
      function* noting<T>(work: Steps<T>): Steps<T> {
        for (let next = work.next([]); ;) {
          if (next.done) return next.value;
          steps.push(next.value.statements.map(({ sql }) => sql.text));
          next = work.next(yield next.value);
        }
      }
      const watched: Database = { ...database, steps: (make) => database.steps(() => noting(make())) };
      await answerInquiry({ ...inquiries, database: watched }, phone, id, { text: 'yes' });
      return steps;
    };
    const without = await stepsOf('Without?');
    deepStrictEqual([without.length, without.flat().filter((text) => text.includes('event_sub'))], [1, []]);
    const setHook = (url: string | null) =>
      database.transaction((trx) => trx.updateTable('sources').set({ webhook_url: url }).execute());
    await setHook('https://agent.example/webhook');
    const hooked = await stepsOf('With a webhook?');
    deepStrictEqual([hooked.length, hooked.flat().filter((text) => text.includes('event_sub'))], [3, []]);
    await setHook(null);
    const { id } = await renew();
    const told = await stepsOf('With?');
    deepStrictEqual([told.length, told.flat().filter((text) => text.includes('event_sub')).length], [3, 1]);
    await drop(database, sourceId, id);
    deepStrictEqual(await stepsOf('Without again?'), without);
  });

  test('who polls costs what ended since, and not all that ended before', async (t) => {
    const { database, sourceId } = await open(t);
    const plan = (await planOf(database, endedSince(sourceId, 1, 2, '', null, 10))).join('\n');
    deepStrictEqual([plan.includes('inquiries_resolved'), /inquiries_source|SCAN|Seq Scan/.test(plan)], [true, false]);
  });

  test('[DLV6] an event that was taken leaves its answer to be read, and none is sent once its subscription ended', async (t) => {
    const { ask, renew, end, database, inquiries, sourceId } = await open(t);
    const { id: subscription } = await renew();
    const sent: Pick<Outgoing, 'url' | 'trust'>[] = [];
    const send = () =>
      sendDue(database, {
        post: async ({ url, trust }) => (sent.push({ url, trust }), { status: 200 }),
        toSubscriber: toSubscriber(database, inquiries.sealingKey, () => false),
      });
    const taken = await ask({ prompt: 'Taken?' });
    await end(taken);
    await send();
    const { collected_at } = await database.read
      .selectFrom('inquiries')
      .select('collected_at')
      .executeTakeFirstOrThrow();
    const ended = await ask({ prompt: 'Ended?' });
    await end(ended);
    await drop(database, sourceId, subscription);
    await send();
    deepStrictEqual([collected_at, sent], [null, [{ url: 'https://agent.example/', trust: 'untrusted' }]]);
    const fates = [taken, ended].map(async (id) => {
      const [{ state, attempts } = { state: undefined, attempts: [] }] = await readDeliveries(database.read, id);
      return [state, attempts[0]?.status, attempts[0]?.error];
    });
    deepStrictEqual(await Promise.all(fates), [
      ['delivered', 200, undefined],
      ['gone', undefined, 'subscription ended'],
    ]);
  });

  test('a renewal moves the end, and takes a new secret with the one before for ten minutes', async (t) => {
    const { renew, pass, database } = await open(t);
    const first = await renew(wanted(), { ttlMs: 60_000 });
    pass(30_000);
    const again = await renew(wanted(), { ttlMs: 60_000 });
    deepStrictEqual([again.id, again.expiresAt >= first.expiresAt + 30_000], [first.id, true]);
    const kept = () => database.read.selectFrom('event_subscriptions').selectAll().executeTakeFirstOrThrow();
    const { secret, old_secret } = await kept();
    deepStrictEqual([secret.includes(SECRET.slice(6)), old_secret], [false, null]);
    await renew(wanted(), { secret: `whsec_${Buffer.alloc(32, 2).toString('base64')}` });
    const changed = await kept();
    strictEqual(changed.old_secret, secret);
    strictEqual(Math.abs(changed.old_until! - database.clock.now() - 600_000) < 10_000, true);
  });

  test('a source has so many and no more, and another one is not in its way', async (t) => {
    const { renew, otherId, database, sourceId } = await open(t);
    for (let at = 0; at < MOST; at++) await renew(wanted(String(at)));
    const full = { name: 'ResourceExhausted', data: { limit: 'subscriptions', max: MOST } };
    await rejects(renew(wanted('one more')), full);
    await renew(wanted('0'));
    await renew(wanted('0'), { of: otherId });
    strictEqual(await drop(database, otherId, subscriptionId(sourceId, wanted('1'))), false);
    strictEqual(await drop(database, sourceId, subscriptionId(sourceId, wanted('1'))), true);
    await renew(wanted('one more'));
  });

  test('[DLV6] what a revoked source subscribed to is over: nothing is written, and its endpoints are told that it is', async (t) => {
    const { renew, ask, end, told, database, sourceId, otherId } = await open(t);
    const id = await ask({ prompt: 'Revoked?' });
    const kept = await renew(wanted('mine'));
    await renew(wanted('theirs'), { of: otherId });
    await removeSource(database, sourceId);
    await end(id);
    deepStrictEqual(await told(id), []);
    await rejects(renew(wanted('again')), { name: 'Forbidden' });
    deepStrictEqual(
      (await endOver(database)).map((one) => one.id),
      [kept.id],
    );
    deepStrictEqual(await endOver(database), []);
    const left = await database.read.selectFrom('event_subscriptions').select('source_id').execute();
    deepStrictEqual(left, [{ source_id: otherId }]);
  });

  test('[race] a subscription that is renewed while it is ended stays, with what says that there is one', async (t) => {
    const { renew, pass, database, sourceId, flag } = await open(t);
    for (let round = 0; round < 10; round++) {
      const { id } = await renew(wanted(), { ttlMs: 60_000 });
      pass(60_001);
      await Promise.all([endOver(database), renew(wanted()), drop(database, sourceId, 'sub_none')]);
      const rows = await database.read.selectFrom('event_subscriptions').select('id').execute();
      deepStrictEqual([rows, await flag()], [[{ id }], 1]);
      await drop(database, sourceId, id);
    }
  });

  test('who polls gets each end once, its own alone, in parts, and is told where something may be missing', async (t) => {
    const { ask, end, pass, database, sourceId, otherId } = await open(t);
    const look = (cursor: string | null, more: { maxEvents?: number; maxAgeMs?: number; inquiryId?: string } = {}) => {
      const { inquiryId, ...rest } = more;
      const args = inquiryId === undefined ? {} : { inquiryId };
      return poll(database, sourceId, { name: 'inquiry.resolved', arguments: args, cursor, ...rest });
    };
    const ids = ({ events }: Awaited<ReturnType<typeof look>>) => events.map(({ data }) => data.inquiryId);
    const early = await ask({ prompt: 'Early?' });
    await end(early);
    pass(10_000);
    const first = await look(null, { maxAgeMs: 300_000 });
    deepStrictEqual(
      { ...first, cursor: '' },
      { events: [], cursor: '', truncated: false, hasMore: false, nextPollMs: 5_000 },
    );
    const asked = [];
    for (const prompt of ['One?', 'Two?', 'Three?']) {
      asked.push(await ask({ prompt }));
      await end(asked.at(-1)!);
    }
    // What has just ended may have neighbours that are not committed yet.
    deepStrictEqual(ids(await look(first.cursor)), []);
    pass(10_000);
    const part = await look(first.cursor, { maxEvents: 2 });
    const rest = await look(part.cursor, { maxEvents: 2 });
    deepStrictEqual([...ids(part), ...ids(rest)].toSorted(), asked.toSorted());
    deepStrictEqual([part.hasMore, rest.hasMore, ids(rest).length], [true, false, 1]);
    deepStrictEqual(ids(await look(first.cursor)), [...ids(part), ...ids(rest)]);
    deepStrictEqual(ids(await look(first.cursor, { inquiryId: asked[1]! })), [asked[1]]);
    deepStrictEqual(ids(await look(rest.cursor)), []);
    deepStrictEqual(
      (await poll(database, otherId, { name: 'inquiry.resolved', arguments: {}, cursor: first.cursor })).events,
      [],
    );
    // A quiet time moves the place on, so that it never falls behind.
    pass(HOUR_MS - 20_000);
    const quiet = await look(rest.cursor);
    pass(HOUR_MS - 20_000);
    deepStrictEqual(
      [quiet.truncated, (await look(quiet.cursor)).truncated, (await look(rest.cursor)).truncated],
      [false, false, true],
    );
    deepStrictEqual((await look(quiet.cursor, { maxAgeMs: 60_000 })).truncated, true);
    pass(-3 * HOUR_MS);
    const { truncated, events, cursor } = await look(quiet.cursor);
    deepStrictEqual([truncated, events, (await look(cursor)).truncated], [true, [], false]);
    await rejects(look('bm93aGVyZQ'), { name: 'InvalidParams' });
  });
}
