import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Database } from '../platform/database.ts';
import { openDatabase } from '../platform/engines/open.ts';
import { freshDatabase } from '../platform/testing/postgres.ts';
import { againContract } from './again.contract.ts';
import { queuesContract } from './queues.contract.ts';
import { addInquiry, addSource, dispatcherFor, endpoint, movableClock, enqueueNow } from './testing/scene.ts';

let fresh: Awaited<ReturnType<typeof freshDatabase>>;
let nodes: [Database, Database];
before(async () => {
  fresh = await freshDatabase();
  const open = () => openDatabase({ dataDir: '', databaseUrl: fresh.url });
  nodes = [await open(), await open()];
});
after(async () => {
  for (const node of nodes) await node.close();
  await fresh.drop();
});

describe('webhooks of two nodes on Postgres', () => {
  test('[DLV1] each delivery is sent once, whichever node claims it', async () => {
    const hook = await endpoint();
    const clock = movableClock();
    const [first, second] = nodes;
    for (let source = 0; source < 4; source++) {
      const scene = await addSource(first, hook.url, clock.now());
      for (let count = 0; count < 15; count++) {
        await enqueueNow(first, { ...scene, inquiryId: await addInquiry(first, scene), at: clock.now() });
      }
    }
    const dispatchers = [dispatcherFor(first, { clock }), dispatcherFor(second, { clock })];
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.runDue()));
    for (const dispatcher of dispatchers) await dispatcher.stop();
    await hook.close();
    const rows = await first.read
      .selectFrom('deliveries')
      .select(['id', 'state', 'attempt_count'])
      .orderBy('id')
      .execute();
    assert.deepStrictEqual(
      new Set(rows.map(({ state, attempt_count }) => `${state} after ${attempt_count}`)),
      new Set(['delivered after 1']),
    );
    assert.deepStrictEqual(
      hook.heard.map(({ headers }) => String(headers['webhook-id'])).toSorted(),
      rows.map(({ id }) => id),
    );
  });

  test('[DLV1] a failed attempt waits as the endpoint asks, on Postgres too', async () => {
    const hook = await endpoint((response) => response.writeHead(500, { 'retry-after': '60' }).end());
    const clock = movableClock();
    const [database] = nodes;
    const scene = await addSource(database, hook.url, clock.now());
    await enqueueNow(database, { ...scene, at: clock.now() });
    const dispatcher = dispatcherFor(database, { clock });
    const start = clock.now();
    await dispatcher.runDue();
    await dispatcher.stop();
    await hook.close();
    const row = await database.read
      .selectFrom('deliveries')
      .select(['state', 'due_at', 'claimed_until', 'attempt_count'])
      .where('inquiry_id', '=', scene.inquiryId)
      .executeTakeFirst();
    assert.deepStrictEqual(
      { ...row },
      { state: 'pending', due_at: start + 60_000, claimed_until: null, attempt_count: 1 },
    );
  });
});

describe('webhooks tried now and paused, on Postgres', () =>
  againContract(
    () => nodes[0],
    () => nodes[1],
  ));

describe('webhook queues on Postgres', () => queuesContract(() => nodes[0]));
