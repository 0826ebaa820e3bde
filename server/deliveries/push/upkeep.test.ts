import { deepStrictEqual, equal } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import type { Database } from '../../platform/database.ts';
import { openDatabase } from '../../platform/engines/open.ts';
import { createOutbound } from '../../platform/outbound/post.ts';
import { loadVapidKeys } from './protocol/vapid.ts';
import type { Doomed } from './testing/doomed.ts';
import { pushService } from './testing/push-service.ts';
import { openScene, type Scene } from './testing/scene.ts';
import { forget } from '../../platform/forget.ts';
import { sweepPushes, wantTest, wantWeeklyTests } from './upkeep.ts';

const DAY_MS = 86_400_000;

function folder(t: TestContext): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'beckon-upkeep-'));
  t.after(() => rmSync(dataDir, { recursive: true }));
  return dataDir;
}

async function scene(t: TestContext, open?: Database): Promise<Scene> {
  const database = open ?? (await openDatabase({ dataDir: folder(t) }));
  const place = await openScene(database);
  t.after(async () => {
    await place.close();
    await database.close();
  });
  return place;
}

test('a hub that was killed while it sent sends again, one request for each attempt’s row', async (t) => {
  const dataDir = folder(t);
  const service = await pushService(() => publicKey);
  let publicKey = '';
  const phone = service.browser();
  const { endpoint, keys } = phone.subscription;
  const script = join(import.meta.dirname, 'testing', 'doomed.ts');
  const told: Doomed = { dataDir, endpoint, ...keys };
  const doomed = spawn(process.execPath, [script, JSON.stringify(told)]);
  service.next(() => doomed.kill('SIGKILL'));
  const [id] = await Promise.all([text(doomed.stdout), once(doomed, 'exit')]);

  const place = await scene(t, await openDatabase({ dataDir }));
  ({ publicKey } = await loadVapidKeys(place.database));
  const outbound = createOutbound({ permit: () => true });
  const pusher = await place.pusher({ post: outbound.post });
  await pusher.runDue();
  equal(service.requests.length, 1, 'its lease still holds');
  place.clock.forward(31_000);
  await pusher.runDue();
  await outbound.close();
  await service.close();
  deepStrictEqual(
    phone.received.map(({ topic }) => topic),
    [id],
  );
  deepStrictEqual(await place.attempts(id), [
    { number: 1, kind: 'ask', status: null, error: 'not finished' },
    { number: 2, kind: 'ask', status: 201, error: null },
  ]);
});

test('a weekly test goes to a device that wants it, a week after the last', async (t) => {
  const place = await scene(t);
  const [wants] = [await place.device(), await place.device()];
  await place.database.transaction((trx) =>
    trx.updateTable('subscriptions').set({ weekly_test: 1 }).where('device_id', '=', wants.id).execute(),
  );
  const { created_at: start } = await place.database.read
    .selectFrom('subscriptions')
    .select('created_at')
    .where('device_id', '=', wants.id)
    .executeTakeFirstOrThrow();
  const at = (days: number, ms = 0): Promise<number> => wantWeeklyTests(place.database, start + days * DAY_MS + ms);
  deepStrictEqual([await at(7, -1), await at(7), await at(8), await at(14, -1), await at(14)], [0, 1, 0, 0, 1]);
});

test('attempts go after 7 days, a test’s push with them, an inquiry’s with the inquiry', async (t) => {
  const place = await scene(t);
  const { id: deviceId } = await place.device();
  const pusher = await place.pusher();
  const [asked, forgotten] = [await place.ask(), await place.ask()];
  const tested = await place.database.transaction((trx) => wantTest(trx, deviceId, place.clock.now()));
  await pusher.runDue();
  await place.database.transaction((trx) =>
    trx.updateTable('inquiries').set({ resolved_at: 5 }).where('id', '=', forgotten).execute(),
  );
  const left = async (days: number, before: number) => {
    await sweepPushes(place.database, place.clock.now() + days * DAY_MS);
    await forget(place.database, { table: 'inquiries', column: 'resolved_at', before });
    const rows = [await place.attempts(asked), ...(await Promise.all([asked, forgotten, tested].map(place.rows)))];
    return rows.map((some) => some.length);
  };
  deepStrictEqual(
    [await left(6, 5), await left(8, 6)],
    [
      [1, 1, 1, 1],
      [0, 1, 0, 0],
    ],
  );
});

test('a device that is out keeps no subscription, and no push that falls due', async (t) => {
  const place = await scene(t);
  const [stays, left] = [await place.device(), await place.device()];
  const asked = await place.ask();
  await place.database.transaction((trx) =>
    trx.updateTable('devices').set({ revoked_at: 1 }).where('id', '=', left.id).execute(),
  );
  await sweepPushes(place.database, place.clock.now());
  const rows = await place.database.read.selectFrom('subscriptions').select('device_id').execute();
  deepStrictEqual(
    rows.map(({ device_id }) => device_id),
    [stays.id],
  );
  const due = (await place.rows(asked)).filter((row) => row['due_at'] !== null);
  deepStrictEqual(
    due.map((row) => row['device_id']),
    [stays.id],
  );
});
