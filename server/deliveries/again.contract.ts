import assert from 'node:assert/strict';
import { beforeEach } from 'node:test';
import { DAY_MS, HOUR_MS, iso } from '../platform/clock.ts';
import { pino } from 'pino';
import type { AppError } from '#shared/problem.ts';
import type { Database } from '../platform/database.ts';
import type { Outgoing, Sent } from '../platform/outbound/post.ts';
import { changeSource } from '../sources/change.ts';
import { tryNow } from './again.ts';
import { resumePutOff } from './pause.ts';
import { readDeliveries, readDeliveryPage } from './read.ts';
import { giveUpPast } from './settle.ts';
import { addInquiry, addSource, dispatcherFor, sendDue, testsOn, enqueueNow, readingSlowly } from './testing/scene.ts';

/** What trying now and pausing promise on either engine; `other` is a second node, or the same one. */
export function againContract(open: () => Database, other: () => Database): void {
  const test = testsOn(open);
  beforeEach(() => open().transaction((trx) => trx.deleteFrom('deliveries').execute()));

  test('[DLV1] trying now makes the next attempt at once, and none where one is under way', async (database, clock) => {
    const scene = await addSource(database, 'https://hooks.example/', clock.now());
    const viewer = { sourceId: scene.sourceId };
    await enqueueNow(database, { ...scene, at: clock.now() });
    const [made] = await readDeliveries(database.read, scene.inquiryId);
    const id = made?.id ?? '';
    const sent: string[] = [];
    let during = async (): Promise<unknown> => undefined;
    const post = async ({ headers }: Outgoing) => {
      sent.push(headers['webhook-id'] ?? '');
      await during();
      return { status: sent.length < 3 ? 503 : 200, retryAfterMs: 60_000 };
    };
    const nodes = [dispatcherFor(database, { clock, post }), dispatcherFor(other(), { clock, post })];
    const sweep = () => Promise.all(nodes.map((node) => node.runDue()));
    // Pressed again and again while both nodes look for what is due; after the attempt that is too soon.
    const press = () =>
      tryNow(database, { id, viewer, now: clock.now() }).catch((error: AppError) =>
        assert.equal(error.code, 'delivery.just_tried'),
      );
    during = () => Promise.all([1, 2, 3].map(press));
    await sweep();
    assert.deepStrictEqual(sent, [id]);
    const endedAt = clock.now();
    clock.forward(4_999);
    await assert.rejects(tryNow(database, { id, viewer, now: clock.now() }), {
      status: 409,
      code: 'delivery.just_tried',
      message: `This delivery was tried a moment ago; it can be tried again at ${iso(endedAt + 5_000)}.`,
    });
    await sweep();
    assert.deepStrictEqual(sent, [id]);
    clock.forward(1);
    const waiting = await tryNow(database, { id, viewer, now: clock.now() });
    assert.deepStrictEqual([waiting.state, waiting.attemptCount, waiting.dueAt], ['pending', 1, iso(clock.now())]);
    await Promise.all([sweep(), during()]);
    assert.deepStrictEqual(sent, [id, id]);
    during = async () => undefined;
    clock.forward(5_000);
    await tryNow(database, { id, viewer, now: clock.now() });
    await sweep();
    const [ended] = await readDeliveries(database.read, scene.inquiryId);
    assert.deepStrictEqual([sent.length, ended?.state, ended?.attemptCount], [3, 'delivered', 3]);
    await assert.rejects(tryNow(database, { id, viewer, now: clock.now() }), { code: 'delivery.ended' });
    await assert.rejects(tryNow(database, { id, viewer: { sourceId: 'src_other' }, now: clock.now() }), {
      code: 'delivery.unknown',
    });
    for (const node of nodes) await node.stop();
  });

  test('[DLV1] a delivery that is tried while it is read is read as it was before', async (database, clock) => {
    const scene = await addSource(database, 'https://hooks.example/', clock.now());
    await enqueueNow(database, { ...scene, at: clock.now() });
    const reader = readingSlowly(database, () => sendDue(database, { clock, post: async () => ({ status: 204 }) }));
    const read = [await readDeliveries(reader, scene.inquiryId), await readDeliveries(reader, scene.inquiryId)].flat();
    assert.deepStrictEqual(
      read.map(({ state, attemptCount, attempts }) => [state, attemptCount, attempts.length]),
      [
        ['pending', 0, 0],
        ['delivered', 1, 1],
      ],
    );
  });

  test('[DLV1] of a delivery that was tried very often the newest 50 attempts are read, and its wait stays an hour', async (database, clock) => {
    const scene = await addSource(database, 'https://hooks.example/', clock.now());
    await enqueueNow(database, { ...scene, at: clock.now() });
    const later = await addInquiry(database, scene);
    await enqueueNow(database, { ...scene, inquiryId: later, at: clock.now() + 1 });
    const [often] = await readDeliveries(database.read, scene.inquiryId);
    const attempts = Array.from({ length: 199 }, (_, index) => {
      const [at, number] = [clock.now() - 199 + index, index + 1];
      return { delivery_id: often?.id ?? '', number, at, status: 500, error: null, ms: number };
    });
    await database.transaction(async (trx) => {
      await trx.insertInto('delivery_attempts').values(attempts).execute();
      const counted = trx.updateTable('deliveries').set({ attempt_count: 199, give_up_at: clock.now() + DAY_MS / 2 });
      await counted.where('id', '=', often?.id ?? '').execute();
    });
    clock.forward(1);
    await sendDue(database, { clock, post: async () => ({ status: 503 }) });
    const { items } = await readDeliveryPage(database.read, { viewer: { sourceId: scene.sourceId }, limit: 50 });
    assert.deepStrictEqual(
      items.map(({ attemptCount, attempts: read, dueAt }) => [attemptCount, dueAt, read.map(({ ms }) => ms)]),
      [
        [1, iso(clock.now() + 5_000), [0]],
        [200, iso(clock.now() + HOUR_MS), [...attempts.slice(-49).map(({ ms }) => ms), 0]],
      ],
    );
  });

  test('[DLV1] after a 429 or 503 with Retry-After what waits for that endpoint waits, at most an hour, and nothing else does', async (database, clock) => {
    const scene = await addSource(database, null, clock.now());
    const other = await addSource(database, null, clock.now());
    const add = async (url: string, of = scene) => {
      const inquiryId = await addInquiry(database, of, clock.now());
      await enqueueNow(database, { ...of, inquiryId, at: clock.now(), callbackUrl: url });
      clock.forward(1);
      return (await readDeliveries(database.read, inquiryId))[0]?.id ?? '';
    };
    let reply: Sent = { status: 429, retryAfterMs: 2 * HOUR_MS };
    const posted: string[] = [];
    const dispatcher = dispatcherFor(database, {
      clock,
      post: async ({ url, headers }) => {
        posted.push(headers['webhook-id'] ?? '');
        return url.includes('busy') && headers['webhook-id'] !== elsewhere[0] ? reply : { status: 200 };
      },
    });
    const after = async (ms = 0) => {
      clock.forward(ms);
      await dispatcher.runDue();
      return posted.splice(0).toSorted();
    };
    const [first, second] = [await add('https://busy.example/'), await add('https://busy.example/')];
    const elsewhere = [await add('https://busy.example/', other), await add('https://free.example/')];
    const found: unknown[] = [await after()];
    const { items } = await readDeliveryPage(database.read, { viewer: { sourceId: scene.sourceId }, limit: 3 });
    const dueAt = items.map(({ id, dueAt: at }) => [id, at]).filter(([id]) => id !== elsewhere[1]);
    found.push(Object.fromEntries(dueAt));
    const hour = { [first]: iso(clock.now() + HOUR_MS), [second]: iso(clock.now() + HOUR_MS) };
    found.push(await after(HOUR_MS - 1));
    reply = { status: 503, retryAfterMs: 60_000 };
    found.push(await after(1));
    // Tried now, it tells whether the endpoint works again.
    reply = { status: 200 };
    clock.forward(5_000);
    await tryNow(database, { id: second, viewer: { sourceId: scene.sourceId }, now: clock.now() });
    found.push(await after());
    // What fails for another reason waits alone.
    reply = { status: 500, retryAfterMs: 60_000 };
    const [third, fourth] = [await add('https://busy.example/'), await add('https://busy.example/')];
    found.push(await after());
    // Nothing waits past its day because the endpoint rests.
    reply = { status: 429, retryAfterMs: HOUR_MS };
    found.push((await after(DAY_MS)).length, await giveUpPast(database, pino({ level: 'silent' }), clock.now()));
    await dispatcher.stop();
    const pending = database.read.selectFrom('deliveries').select('id').where('state', '=', 'pending');
    const all = [first, ...elsewhere].toSorted();
    assert.deepStrictEqual(
      [...found, await pending.execute()],
      [all, hour, [], [second], [first, second].toSorted(), [third, fourth].toSorted(), 1, false, []],
    );
  });

  test('[DLV1] what is paused waits uncounted, and has a whole day when it goes on', async (database, clock) => {
    const scene = await addSource(database, 'https://hooks.example/', clock.now());
    const quiet = await addSource(database, 'https://quiet.example/', clock.now());
    const sent: string[] = [];
    const post = async ({ url }: Outgoing) => {
      sent.push(url);
      return { status: 200 };
    };
    const pause = (webhooksPaused: boolean) => changeSource(database, scene.sourceId, { webhooksPaused });
    await enqueueNow(database, { ...scene, at: clock.now() });
    const paused = await pause(true);
    assert.equal((await pause(true)).webhooksPausedAt, paused.webhooksPausedAt);
    const later = await addInquiry(database, scene);
    await enqueueNow(database, { ...scene, inquiryId: later, at: clock.now() });
    await enqueueNow(database, { ...quiet, at: clock.now() });
    const dispatcher = dispatcherFor(database, { clock, post });
    await dispatcher.runDue();
    clock.forward(2 * DAY_MS);
    await dispatcher.runDue();
    assert.deepStrictEqual(sent, ['https://quiet.example/']);
    const waiting = async () =>
      (await Promise.all([scene.inquiryId, later].map((one) => readDeliveries(database.read, one)))).flat();
    assert.deepStrictEqual(
      (await waiting()).map(({ state, attemptCount, dueAt }) => [state, attemptCount, dueAt]),
      Array(2).fill(['pending', 0, undefined]),
    );
    const [first] = await waiting();
    const asked = { id: first?.id ?? '', viewer: { sourceId: scene.sourceId }, now: clock.now() };
    await assert.rejects(tryNow(database, asked), { code: 'delivery.paused' });
    assert.equal(await resumePutOff(database), 0);
    assert.equal((await pause(false)).webhooksPausedAt, undefined);
    const rows = await database.read
      .selectFrom('deliveries')
      .select(['due_at', 'give_up_at'])
      .where('source_id', '=', scene.sourceId)
      .execute();
    assert.deepStrictEqual(
      rows.map(({ due_at, give_up_at }) => Number(give_up_at) - Number(due_at)),
      [DAY_MS, DAY_MS],
    );
    await dispatcher.runDue();
    await dispatcher.stop();
    assert.deepStrictEqual(
      (await waiting()).map(({ state, attemptCount }) => [state, attemptCount]),
      Array(2).fill(['delivered', 1]),
    );
  });

  test('[DLV1] what was put off at the moment its source went on is not forgotten', async (database, clock) => {
    const scene = await addSource(database, 'https://hooks.example/', clock.now());
    await enqueueNow(database, { ...scene, at: clock.now() });
    await database.transaction((trx) => trx.updateTable('deliveries').set({ due_at: null }).execute());
    assert.equal(await resumePutOff(database, clock.now()), 1);
    await sendDue(database, { clock, post: async () => ({ status: 204 }) });
    assert.equal((await readDeliveries(database.read, scene.inquiryId))[0]?.state, 'delivered');
  });
}
