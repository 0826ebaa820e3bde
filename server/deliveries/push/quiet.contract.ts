import { deepStrictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Quiet } from '#shared/policies/quiet.ts';
import { deviceDeliveries } from '../inquiry-devices.ts';
import { lookAgain } from './quiet.ts';
import type { Device, Scene } from './testing/scene.ts';
import { wantWeeklyTests } from './upkeep.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** What quiet hours hold back, and what they let through; the same on every engine. */
export function quietContract(scene: (t: TestContext) => Promise<Scene>): void {
  /** It is quiet for this person from a moment ago for about two hours. */
  async function choose({ database, personId, clock }: Scene, through?: Quiet['through']): Promise<void> {
    const time = (ms: number) => new Date(clock.now() + ms).toISOString().slice(11, 16);
    const quiet = { spans: [{ from: time(-60_000), to: time(2 * HOUR) }], ...(through ? { through } : {}) };
    const preferences = JSON.stringify({ timeZone: 'UTC', quiet });
    await database.transaction((trx) =>
      trx.updateTable('people').set({ preferences }).where('id', '=', personId).execute(),
    );
  }
  const got = ({ received }: Device): string[] => received.map(({ message, topic }) => `${message.t} ${topic}`);
  const change = ({ database }: Scene, id: string, values: { transport: string }): Promise<unknown> =>
    database.transaction((trx) => trx.updateTable('inquiries').set(values).where('id', '=', id).execute());

  test('[DLV3] what is asked in quiet hours rings at their end, if it is open still, whichever node sends', async (t) => {
    const place = await scene(t);
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

  test('[DLV3] high urgency and named sources break through where the person said so', async (t) => {
    const place = await scene(t);
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

  test('[DLV3] whoever ends their quiet hours early hears at once of what waits', async (t) => {
    const place = await scene(t);
    const phone = await place.device();
    await choose(place);
    const id = await place.ask(undefined, DAY);
    const pusher = await place.pusher();
    await pusher.runDue();
    await lookAgain(place.database, place.personId);
    await pusher.runDue();
    const quiet = got(phone);
    await place.database.transaction((trx) =>
      trx.updateTable('people').set({ preferences: null }).where('id', '=', place.personId).execute(),
    );
    await lookAgain(place.database, place.personId);
    await pusher.runDue();
    deepStrictEqual([quiet, got(phone)], [[], [`ask ${id}`]]);
  });

  test('[DLV3] the weekly test waits for the end of quiet hours', async (t) => {
    const place = await scene(t);
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
