import { deepStrictEqual } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { DAY_MS, HOUR_MS } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { openDatabase } from '../platform/engines/open.ts';
import { moveWithClock } from '../platform/sqlite/stepped.ts';
import { claimDevice, takeNext } from './push/take.ts';
import { openScene } from './push/testing/scene.ts';
import { addInquiry, dispatcherFor, enqueueNow } from './testing/scene.ts';
import { LEASE_MS } from './worker.ts';

const FREE = { slow: false, busy: { keys: [], groups: [] } };

/** A scene whose clock can be stepped an hour back, with the rows, as `followClock` does it. */
async function steppedScene(t: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), 'beckon-stepped-'));
  const file = await openDatabase({ dataDir });
  const place = await openScene(file);
  t.after(async () => {
    await place.close();
    await file.close();
    rmSync(dataDir, { recursive: true });
  });
  const { clock } = place;
  const step = () =>
    file.transaction(async (trx) => {
      const before = clock.now();
      clock.forward(-HOUR_MS);
      await moveWithClock(trx, { byMs: -HOUR_MS, before });
    });
  /** Whatever was read of the clock before a transaction, a step comes between. */
  const stepping: Database = {
    ...place.database,
    async transaction(work) {
      await step();
      return place.database.transaction(work);
    },
  };
  return { ...place, step, stepping };
}

test('[WDR1] a device that is claimed while the clock is stepped is leased for 30 s and no hour', async (t) => {
  const { database, stepping, clock, device } = await steppedScene(t);
  await device();
  const queue = await claimDevice(stepping, { clock, ...FREE });
  const { claimed_until } = await database.read.selectFrom('subscriptions').selectAll().executeTakeFirstOrThrow();
  deepStrictEqual([claimed_until, queue?.until], [clock.now() + LEASE_MS, clock.now() + LEASE_MS]);
});

test('[WDR1] nothing is taken of a device whose lease was moved with the clock, and it is free when that ends', async (t) => {
  const { database, clock, step, rows, pusher, ...place } = await steppedScene(t);
  const phone = await place.device();
  const id = await place.ask(undefined, DAY_MS);
  const queue = await claimDevice(database, { clock, ...FREE });
  await step();
  deepStrictEqual(
    [await takeNext(database, queue!, clock), (await rows(id)).map(({ due_at }) => due_at)],
    [undefined, [clock.now()]],
  );
  clock.forward(LEASE_MS);
  await (await pusher()).runDue();
  deepStrictEqual(phone.received.length, 1);
});

test('[DLV1] webhooks that are claimed while the clock is stepped are leased for 30 s and no hour', async (t) => {
  const { database, stepping, clock, personId, sourceId } = await steppedScene(t);
  const inquiryId = await addInquiry(database, { personId, sourceId }, clock.now());
  await enqueueNow(database, { sourceId, inquiryId, at: clock.now(), callbackUrl: 'https://hooks.example/' });
  const found: unknown[] = [];
  const dispatcher = dispatcherFor(stepping, {
    clock,
    post: async () => {
      const { claimed_until } = await database.read
        .selectFrom('deliveries')
        .select('claimed_until')
        .executeTakeFirstOrThrow();
      const { due_at } = await database.read.selectFrom('delivery_queues').select('due_at').executeTakeFirstOrThrow();
      found.push(claimed_until! - clock.now(), due_at - clock.now());
      return { status: 204 };
    },
  });
  await dispatcher.runDue();
  await dispatcher.stop();
  deepStrictEqual(found, [LEASE_MS, LEASE_MS]);
});
