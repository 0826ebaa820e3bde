import { deepStrictEqual } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { testsIn } from '../../platform/testing/tests-in.ts';
import { newId } from '#shared/ids.ts';
import type { Quiet } from '#shared/policies/quiet.ts';
import type { Database } from '../../platform/database.ts';
import { commitWith } from '../../platform/steps.ts';
import { HUB_TIME_ZONE } from '../../platform/time-zone.ts';
import { deviceDeliveries } from '../inquiry-devices.ts';
import { lookAgain } from './quiet.ts';
import type { Device, Scene } from './testing/scene.ts';
import { wantAnew, wantReminder, wantShown } from './want.ts';
import { wantWeeklyTests } from './upkeep.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** What quiet hours hold back, and what they let through; the same on every engine. */
export function quietContract(scene: (t: TestContext) => Promise<Scene>): void {
  const test = testsIn(scene);
  /** It is quiet for this person from a moment ago for about two hours. */
  async function choose(
    { database, personId, clock }: Scene,
    through?: Quiet['through'],
    zone: string | null = 'UTC',
  ): Promise<void> {
    const place = { timeZone: zone ?? HUB_TIME_ZONE, hour: '2-digit', minute: '2-digit' } as const;
    const time = (ms: number) => new Date(clock.now() + ms).toLocaleTimeString('en-GB', place);
    const quiet = { spans: [{ from: time(-60_000), to: time(2 * HOUR) }], ...(through ? { through } : {}) };
    const preferences = JSON.stringify({ ...(zone === null ? {} : { timeZone: zone }), quiet });
    await database.transaction((trx) =>
      trx.updateTable('people').set({ preferences }).where('id', '=', personId).execute(),
    );
  }
  const got = ({ received }: Device): string[] => received.map(({ message, topic }) => `${message.t} ${topic}`);
  const change = ({ database }: Scene, id: string, values: { transport: string }): Promise<unknown> =>
    database.transaction((trx) => trx.updateTable('inquiries').set(values).where('id', '=', id).execute());

  test('[DLV3] what is asked in quiet hours rings at their end, if it is open still, whichever node sends', async (place) => {
    const phone = await place.device();
    const before = await place.ask(undefined, DAY);
    await (await place.pusher()).runDue();
    await choose(place);
    const [open, ended, short] = [await place.ask(undefined, DAY), await place.ask(undefined, DAY), await place.ask()];
    const both = async () => {
      const pushers = [await place.pusher(), await place.pusher()];
      await Promise.all(pushers.map((pusher) => pusher.runDue()));
      return got(phone);
    };
    const told = async () =>
      (await deviceDeliveries(place.database.read, open)).map(({ toldAt }) => toldAt !== undefined);
    const found: unknown[] = [await both(), await told()];
    await place.withdraw(ended);
    await place.withdraw(before);
    place.clock.forward(2 * HOUR - 60_000);
    found.push(await both());
    place.clock.forward(60_000);
    found.push(await both(), await told());
    const shown = [`ask ${before}`, `withdraw ${before}`];
    deepStrictEqual(found, [[`ask ${before}`], [false], shown, [...shown, `ask ${open}`], [true]]);
    deepStrictEqual(await place.attempts(short), []);
  });

  test('[DLV3] [POL11] the quiet hours of who chose no time zone are those of the hub', async (place) => {
    const phone = await place.device();
    await choose(place, undefined, null);
    await place.ask(undefined, DAY);
    await (await place.pusher()).runDue();
    deepStrictEqual(got(phone), []);
  });

  test('[DLV3] high urgency and named sources break through where the person said so', async (place) => {
    const phone = await place.device();
    const found = [];
    for (const through of [undefined, { high: true }, { sources: [place.sourceId] }, { high: false }]) {
      await choose(place, through);
      const asked = [await place.ask(undefined, DAY), await place.ask(undefined, DAY)];
      await change(place, asked[1] ?? '', { transport: '{"urgency":"high"}' });
      await (await place.pusher()).runDue();
      found.push(asked.map((id) => got(phone).includes(`ask ${id}`)));
      for (const id of asked) await place.withdraw(id);
    }
    deepStrictEqual(found, [
      [false, false],
      [false, true],
      [true, true],
      [false, false],
    ]);
  });

  test('[DLV5] what is to ring again in quiet hours rings at their end, once', async (place) => {
    const phone = await place.device();
    const id = await place.ask(undefined, DAY);
    await (await place.pusher()).runDue();
    await choose(place);
    const again = { subjectId: id, personIds: [place.personId], giveUpAt: place.clock.now() + DAY };
    const found = [];
    for (const ms of [0, HOUR, HOUR]) {
      place.clock.forward(ms);
      await place.database.steps(() => commitWith({ wanted: wantReminder({ ...again, now: place.clock.now() }) }));
      if (ms === 0) await lookAgain(place.database, place.personId);
      await (await place.pusher()).runDue();
      found.push(got(phone).length);
    }
    deepStrictEqual(found, [1, 1, 2]);
  });

  test('[DLV3] notices and what YOLO did wait too, that it runs does not', async (place) => {
    const { id: deviceId } = await place.device();
    await choose(place, { high: true });
    const { database, personId, sourceId, clock } = place;
    const now = clock.now();
    const [calm, high] = [newId('ntc', now), newId('ntc', now)];
    const [running, ended] = [newId('yol', now), newId('yol', now)];
    const yolo = { person_id: personId, choices: '{}', started_at: now, until_at: now + HOUR, made_by: deviceId };
    const notice = { source_id: sourceId, key: null, title: 'Built', created_at: now };
    await database.transaction(async (trx) => {
      for (const [id, urgency] of [
        [calm, 'normal'],
        [high, 'high'],
      ] as const)
        await trx
          .insertInto('notices')
          .values({ ...notice, id, content: JSON.stringify({ urgency }) })
          .execute();
      await trx
        .insertInto('yolos')
        .values({ ...yolo, id: running })
        .execute();
      await trx
        .insertInto('yolos')
        .values({ ...yolo, id: ended, ended_at: now })
        .execute();
    });
    const subjects = [calm, high, running, ended];
    for (const subjectId of subjects)
      await database.steps(() =>
        commitWith({ shown: wantShown({ subjectId, personIds: [personId], giveUpAt: now + DAY, now }) }),
      );
    await (await place.pusher()).runDue();
    const rows = await Promise.all(subjects.map((id) => place.rows(id)));
    deepStrictEqual(
      rows.map(([row]) => (row?.['due_at'] === null ? 'taken' : Number(row?.['due_at']) > now && 'waits')),
      ['waits', 'taken', 'taken', 'waits'],
    );
  });

  test('[DLV3] many questions of a night become one notification at its end', async (place) => {
    const phone = await place.device();
    await choose(place);
    for (let count = 0; count < 5; count++) await place.ask(undefined, DAY);
    const pusher = await place.pusher();
    await pusher.runDue();
    place.clock.forward(2 * HOUR);
    await pusher.runDue();
    deepStrictEqual(got(phone), ['digest digest']);
  });

  test('[DLV3] the notification for many does not ring when one of them is answered elsewhere or expires', async (place) => {
    const phone = await place.device();
    const asked: string[] = [];
    for (let count = 0; count < 6; count++) asked.push(await place.ask(undefined, DAY));
    const pusher = await place.pusher();
    const after = async () => {
      const before = phone.received.length;
      await pusher.runDue();
      return got(phone).slice(before);
    };
    const found = [await after()];
    await choose(place);
    await place.withdraw(asked[0] ?? '');
    found.push(await after());
    await place.withdraw(asked[1] ?? '', { expired: true });
    found.push(await after());
    place.clock.forward(2 * HOUR);
    found.push(await after());
    deepStrictEqual(found, [['digest digest'], [], [], ['digest digest']]);
  });

  for (const [ends, preferences] of [
    ['ends', null],
    ['turns off', JSON.stringify({ quiet: { spans: [{ from: '00:00', to: '00:00' }], off: true }, timeZone: 'UTC' })],
  ] as const)
    test(`[DLV3] whoever ${ends} their quiet hours early hears at once of what waits`, async (place) => {
      const phone = await place.device();
      await choose(place);
      const id = await place.ask(undefined, DAY);
      const pusher = await place.pusher();
      await pusher.runDue();
      await lookAgain(place.database, place.personId);
      await pusher.runDue();
      const quiet = got(phone);
      await place.database.transaction((trx) =>
        trx.updateTable('people').set({ preferences }).where('id', '=', place.personId).execute(),
      );
      await lookAgain(place.database, place.personId);
      await pusher.runDue();
      deepStrictEqual([quiet, got(phone)], [[], [`ask ${id}`]]);
    });

  test('[DLV3] however much waits for the end of quiet hours, it is moved a part at a time', async ({
    database,
    clock,
    personId,
    device,
  }) => {
    const { id } = await device();
    const waits = { device_id: id, wanted: 'ask', due_at: clock.now() + HOUR, give_up_at: clock.now() + DAY };
    const pushes = Array.from({ length: 1_100 }, (_, n) => ({ subject_id: `inq_${n}`, ...waits }));
    await database.transaction((trx) => trx.insertInto('pushes').values(pushes).execute());
    const waiting = () =>
      database.read
        .selectFrom('pushes')
        .select('subject_id')
        .where('device_id', '=', id)
        .where('due_at', '>', clock.now())
        .execute();
    const left: number[] = [];
    const counted: Database = {
      ...database,
      async transaction(work) {
        const result = await database.transaction(work);
        left.push((await waiting()).length);
        return result;
      },
    };
    await lookAgain(counted, personId);
    await database.transaction((trx) => trx.deleteFrom('subscriptions').where('device_id', '=', id).execute());
    deepStrictEqual(left, [600, 100, 0]);
  });

  test('[DLV3] whoever ends them early hears of what is to ring again, too', async (place) => {
    const phone = await place.device();
    const id = await place.ask(undefined, DAY);
    const pusher = await place.pusher();
    await pusher.runDue();
    await choose(place);
    const { database, clock, personId } = place;
    const again = { subjectId: id, giveUpAt: clock.now() + DAY, now: clock.now() };
    await database.transaction((trx) => wantAnew(trx, again));
    await pusher.runDue();
    const quiet = got(phone);
    await database.transaction((trx) =>
      trx.updateTable('people').set({ preferences: null }).where('id', '=', personId).execute(),
    );
    await lookAgain(database, personId);
    await pusher.runDue();
    deepStrictEqual([quiet, got(phone)], [[`ask ${id}`], [`ask ${id}`, `ask ${id}`]]);
  });

  test('[DLV3] the weekly test waits for the end of quiet hours', async (place) => {
    const { id } = await place.device();
    await place.database.transaction((trx) =>
      trx.updateTable('subscriptions').set({ weekly_test: 1 }).where('device_id', '=', id).execute(),
    );
    place.clock.forward(8 * DAY);
    await choose(place);
    const wanted = [await wantWeeklyTests(place.database)];
    place.clock.forward(2 * HOUR);
    wanted.push(await wantWeeklyTests(place.database), await wantWeeklyTests(place.database));
    deepStrictEqual(wanted, [0, 1, 0]);
  });
}
