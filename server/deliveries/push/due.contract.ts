import { deepStrictEqual } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { testsIn } from '../../platform/testing/tests-in.ts';
import { sql } from 'kysely';
import type { Database } from '../../platform/database.ts';
import { plansOf, readThrough } from '../../platform/testing/explain.ts';
import { putSubscription } from '../../devices/subscription/store.ts';
import { lookAtLate, nextDue, takeIn } from './due.ts';
import { claimDevice, takeNext } from './take.ts';
import type { FakeBrowser } from './testing/push-service.ts';
import type { Scene } from './testing/scene.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MANY = 2_000;

/** How the devices are found that have something to be sent, the same on every engine. */
export function dueContract(scene: (t: TestContext) => Promise<Scene>): void {
  const test = testsIn(scene);
  const readDue = async ({ database }: Scene, id: string) => {
    const row = database.read.selectFrom('subscriptions').select(['due_at', 'rest_until']).where('device_id', '=', id);
    return { ...(await row.executeTakeFirstOrThrow()) };
  };
  const set = ({ database }: Scene, table: 'pushes' | 'subscriptions', id: string, values: { due_at: number | null }) =>
    database.transaction((trx) => trx.updateTable(table).set(values).where('device_id', '=', id).execute());

  test(`a claim among ${MANY} devices that are all due looks up one, and reads no table through`, async (place) => {
    const { database, clock } = place;
    const phone = await place.device();
    const id = await place.ask(undefined, DAY);
    await copyDevices(place, phone.id, id);
    const turn = { clock, slow: false, busy: { keys: ['dev_a', 'dev_b'], groups: [] } };
    const full = { ...turn, busy: { keys: [], groups: ['push.example', 'busy.example'] } };
    while ((await takeIn(database)) > 0);
    await set(place, 'pushes', 'dev_7', { due_at: clock.now() - 1 });
    if (database.engine === 'postgres') await sql`analyze`.execute(database.read);
    const plans = await plansOf(database, async (watched) => {
      await claimDevice(watched, full);
      await claimDevice(watched, turn);
      await nextDue(watched, clock.now());
    });
    // Other tests of this database send what is due.
    await database.transaction((trx) => trx.deleteFrom('subscriptions').where('host', '=', 'push.example').execute());
    const through = readThrough(plans, { tables: ['pushes', 'subscriptions', 'devices'], small: ['pushes_new'] });
    deepStrictEqual([through, plans.filter((step) => step.includes('pushes_due')), plans.length > 20], [[], [], true]);
  });

  test('questions that fall due together join a digest a part at a time, however many there are', async ({
    database,
    clock,
    device,
  }) => {
    const phone = await device();
    const due = { device_id: phone.id, wanted: 'ask', due_at: clock.now(), give_up_at: clock.now() + DAY };
    const pushes = Array.from({ length: 250 }, (_, n) => ({ subject_id: `inq_${n}`, ...due }));
    await database.transaction((trx) => trx.insertInto('pushes').values(pushes).execute());
    let parts = 0;
    const counted = { ...database, transaction: (work) => (parts++, database.transaction(work)) } as Database;
    const queue = await claimDevice(database, { clock, slow: false, busy: { keys: [], groups: [] } });
    const taken = await takeNext(counted, queue!, clock);
    const joined = database.read
      .selectFrom('pushes')
      .select('subject_id')
      .where('device_id', '=', phone.id)
      .where('sent', '=', 'digest');
    const { length } = await joined.execute();
    await database.transaction((trx) => trx.deleteFrom('subscriptions').where('device_id', '=', phone.id).execute());
    deepStrictEqual([taken?.subjectId, length, parts], ['digest', 250, 4]);
  });

  test('a push service that asks for a year is asked again in an hour, and no other push of the device moves', async (place) => {
    const phone = await place.device();
    await place.ask(undefined, DAY);
    await place.ask(undefined, DAY);
    const now = place.clock.now();
    place.service.next((reply) => reply.writeHead(429, { 'retry-after': '31536000' }).end());
    const pusher = await place.pusher();
    await pusher.runDue();
    const waiting = place.database.read.selectFrom('pushes').select('due_at').where('device_id', '=', phone.id);
    const rows = await waiting.orderBy('due_at').execute();
    const found: unknown[] = [rows.map(({ due_at }) => due_at! - now), await readDue(place, phone.id)];
    place.clock.forward(HOUR - 1);
    await pusher.runDue();
    found.push(phone.received.length);
    place.clock.forward(1);
    await pusher.runDue();
    found.push(phone.received.length);
    deepStrictEqual(found, [[0, HOUR], { due_at: now + HOUR, rest_until: now + HOUR }, 0, 2]);
  });

  test('a device that subscribes anew is told at once what its old push service wanted to have later', async (place) => {
    const phone = await place.device();
    const first = await place.ask(undefined, DAY);
    const pusher = await place.pusher();
    place.service.next((reply) => reply.writeHead(429, { 'retry-after': '3000' }).end());
    await pusher.runDue();
    const second = await place.ask(undefined, DAY);
    // As where a live page is to show it first.
    const later = place.clock.now() + 1_500;
    await place.database.transaction((trx) =>
      trx.updateTable('pushes').set({ due_at: later }).where('subject_id', '=', second).execute(),
    );
    const anew = await subscribeAnew(place, phone.id);
    await pusher.runDue();
    const told = () =>
      [phone, anew].map(({ received }) => received.map(({ message }) => 'id' in message && message.id));
    const found: unknown[] = [told(), (await place.rows(second)).map(({ due_at }) => due_at)];
    place.clock.forward(1_500);
    await pusher.runDue();
    found.push(told(), await readDue(place, phone.id));
    deepStrictEqual(found, [[[], [first]], [later], [[], [first, second]], { due_at: null, rest_until: null }]);
  });

  test('a device that subscribes anew while it is pushed to is told there, whatever the old push service says', async (place) => {
    const found: unknown[] = [];
    const answers = [
      () => place.service.next((reply) => reply.writeHead(429, { 'retry-after': '3000' }).end()),
      () => place.service.next((reply) => reply.writeHead(403).end()),
      () => place.service.next((reply) => reply.writeHead(500).end()),
    ];
    const pusher = await place.pusher();
    for (const answer of answers) {
      const phone = await place.device();
      const ids = [await place.ask(undefined, DAY), await place.ask(undefined, DAY)];
      let anew = phone;
      answer();
      place.service.onRequest = async () => {
        place.service.onRequest = undefined;
        anew = { ...(await subscribeAnew(place, phone.id)), id: phone.id };
      };
      await pusher.runDue();
      const told = anew.received.map(({ message }) => 'id' in message && message.id);
      const { pathname } = new URL(phone.subscription.endpoint);
      const requests = place.service.requests.filter(({ path }) => path === pathname).length;
      found.push([
        requests,
        told.length,
        new Set(ids).isSubsetOf(new Set<unknown>(told)),
        await readDue(place, phone.id),
      ]);
      await place.database.transaction((trx) =>
        trx.deleteFrom('subscriptions').where('device_id', '=', phone.id).execute(),
      );
    }
    deepStrictEqual(
      found,
      answers.map(() => [1, 2, true, { due_at: null, rest_until: null }]),
    );
  });

  test('[WDR1] a push that an older node wants or moves is found at once, also at an instant that was done before', async (place) => {
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
    deepStrictEqual([counts, (await readDue(place, phone.id)).due_at], [[1, 2, 3, 4, 5, 6], null]);
  });

  test('a device that is due too late is looked at within the hour, whatever the reason', async (place) => {
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

  test('a subscription that the push service forgot leaves nothing due', async (place) => {
    const phone = await place.device();
    const first = await place.ask(undefined, DAY);
    place.service.next((reply) => reply.writeHead(410).end());
    const pusher = await place.pusher();
    await pusher.runDue();
    const due = async () => (await place.rows(first)).map(({ due_at }) => due_at);
    deepStrictEqual([await due(), phone.received.length], [[null], 0]);
  });
}

async function subscribeAnew({ database, service, keys }: Scene, deviceId: string): Promise<FakeBrowser> {
  const browser = service.browser();
  await putSubscription(database, deviceId, { ...browser.subscription, vapidPublicKey: keys.publicKey });
  return browser;
}

/** As many devices as a device, each with a subscription and a push that is due. */
async function copyDevices({ database, clock, personId }: Scene, deviceId: string, subjectId: string): Promise<void> {
  const numbers = sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(MANY)})`;
  const id = sql`'dev_' || n`;
  const now = sql.lit(clock.now());
  const later = sql.lit(clock.now() + DAY);
  await database.transaction(async (trx) => {
    await sql`${numbers} insert into devices (id, person_id, name, token_hash, user_agent, address, created_at, seen_at, expires_at)
      select ${id}, ${personId}, 'D', 'hash ' || n, '', '', 1, 1, ${later} from numbers`.execute(trx);
    await sql`${numbers} insert into subscriptions (device_id, endpoint, p256dh, auth, vapid_public_key, created_at, host)
      select ${id}, 'https://push.example/' || n, p256dh, auth, vapid_public_key, 1, 'push.example'
      from numbers, subscriptions where device_id = ${deviceId}`.execute(trx);
    await sql`${numbers} insert into pushes (subject_id, device_id, wanted, due_at, give_up_at)
      select ${subjectId}, ${id}, 'ask', ${now}, ${later} from numbers`.execute(trx);
  });
}
