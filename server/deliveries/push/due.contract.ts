import { deepStrictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { plansOf } from '../../platform/testing/explain.ts';
import { firstDue, lookAtLate, nextDue, takeIn } from './due.ts';
import type { Scene } from './testing/scene.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MANY = 2_000;

/** How the devices are found that have something to be sent, the same on every engine. */
export function dueContract(scene: (t: TestContext) => Promise<Scene>): void {
  const dueOf = async ({ database }: Scene, id: string) => {
    const row = database.read.selectFrom('subscriptions').select(['due_at', 'rest_until']).where('device_id', '=', id);
    return { ...(await row.executeTakeFirstOrThrow()) };
  };
  const set = ({ database }: Scene, table: 'pushes' | 'subscriptions', id: string, values: { due_at: number | null }) =>
    database.transaction((trx) => trx.updateTable(table).set(values).where('device_id', '=', id).execute());

  test(`a claim among ${MANY} devices looks up a device, and reads no table through`, async (t) => {
    const place = await scene(t);
    const phone = await place.device();
    const id = await place.ask(undefined, DAY);
    await (await place.pusher()).runDue();
    await copyDevices(place, phone.id, id);
    const now = place.clock.now();
    const turn = {
      now,
      until: now + 30_000,
      slow: false,
      busy: { keys: ['dev_a', 'dev_b'], groups: ['busy.example'] },
    };
    while ((await takeIn(place.database)) > 0);
    const plans = await plansOf(place.database, async (watched) => {
      await takeIn(watched);
      await firstDue(watched, turn);
      await nextDue(watched, now);
    });
    const scans = plans.filter((step) =>
      /Seq Scan on (subscriptions|pushes|devices)|^SCAN (subscriptions|pushes|devices)\b(?! USING INDEX pushes_new)/.test(
        step,
      ),
    );
    deepStrictEqual([scans, plans.length > 5], [[], true]);
  });

  test('a push service that asks for a year is asked again in an hour, and no other push of the device moves', async (t) => {
    const place = await scene(t);
    const phone = await place.device();
    await place.ask(undefined, DAY);
    await place.ask(undefined, DAY);
    const now = place.clock.now();
    place.service.next((reply) => reply.writeHead(429, { 'retry-after': '31536000' }).end());
    const pusher = await place.pusher();
    await pusher.runDue();
    const waiting = place.database.read.selectFrom('pushes').select('due_at').where('device_id', '=', phone.id);
    const rows = await waiting.orderBy('due_at').execute();
    const found: unknown[] = [rows.map(({ due_at }) => due_at! - now), await dueOf(place, phone.id)];
    place.clock.forward(HOUR - 1);
    await pusher.runDue();
    found.push(phone.received.length);
    place.clock.forward(1);
    await pusher.runDue();
    found.push(phone.received.length);
    deepStrictEqual(found, [[0, HOUR], { due_at: now + HOUR, rest_until: now + HOUR }, 0, 2]);
  });

  test('[WDR1] a push that an older node wants or moves is found at once, also at an instant that was done before', async (t) => {
    const place = await scene(t);
    const phone = await place.device();
    await place.ask(undefined, DAY);
    const pusher = await place.pusher();
    await pusher.runDue();
    const counts = [phone.received.length];
    for (const forward of [0, 0, 1, 30_000, 30_000]) {
      place.clock.forward(forward);
      // As they all do it: nothing but the push is written.
      await set(place, 'pushes', phone.id, { due_at: place.clock.now() });
      await pusher.runDue();
      counts.push(phone.received.length);
    }
    deepStrictEqual([counts, (await dueOf(place, phone.id)).due_at], [[1, 2, 3, 4, 5, 6], null]);
  });

  test('a device that is due too late is looked at within the hour, whatever the reason', async (t) => {
    const place = await scene(t);
    const phone = await place.device();
    const pusher = await place.pusher();
    const found: number[] = [];
    for (const late of [null, place.clock.now() + DAY]) {
      await place.ask(undefined, DAY);
      await takeIn(place.database);
      await set(place, 'subscriptions', phone.id, { due_at: late });
      await pusher.runDue();
      found.push(phone.received.length, await lookAtLate(place.database, place.clock.now()));
      await pusher.runDue();
      found.push(phone.received.length, await lookAtLate(place.database, place.clock.now()));
    }
    deepStrictEqual(found, [0, 1, 1, 0, 1, 1, 2, 0]);
  });

  test('a subscription that the push service forgot leaves nothing due', async (t) => {
    const place = await scene(t);
    const phone = await place.device();
    const first = await place.ask(undefined, DAY);
    place.service.next((reply) => reply.writeHead(410).end());
    const pusher = await place.pusher();
    await pusher.runDue();
    const due = async () => (await place.rows(first)).map(({ due_at }) => due_at);
    deepStrictEqual([await due(), phone.received.length], [[null], 0]);
  });
}

/** As many devices as a device, each with a subscription and a push that is due in a day. */
async function copyDevices({ database, clock, personId }: Scene, deviceId: string, subjectId: string): Promise<void> {
  const numbers = sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(MANY)})`;
  const id = sql`'dev_' || n`;
  const later = sql.lit(clock.now() + DAY);
  await database.transaction(async (trx) => {
    await sql`${numbers} insert into devices (id, person_id, name, token_hash, user_agent, address, created_at, seen_at, expires_at)
      select ${id}, ${personId}, 'D', 'hash ' || n, '', '', 1, 1, ${later} from numbers`.execute(trx);
    await sql`${numbers} insert into subscriptions (device_id, endpoint, p256dh, auth, vapid_public_key, created_at, host)
      select ${id}, 'https://push.example/' || n, p256dh, auth, vapid_public_key, 1, 'push.example'
      from numbers, subscriptions where device_id = ${deviceId}`.execute(trx);
    await sql`${numbers} insert into pushes (subject_id, device_id, wanted, due_at, give_up_at)
      select ${subjectId}, ${id}, 'ask', ${later}, ${later} from numbers`.execute(trx);
    if (database.engine === 'postgres') await sql`analyze`.execute(trx);
  });
}
