import { deepStrictEqual } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Rule } from '#shared/policies/rule.ts';
import { notify } from '../../automation/deciders/change.ts';
import { putPolicies, readPolicies } from '../../automation/rules/change.ts';
import { rescheduleReminders } from '../../deliveries/push/remind.ts';
import { within } from '../../platform/steps.ts';
import { testsIn } from '../../platform/testing/tests-in.ts';
import { sweep } from '../expire.ts';
import { setApart } from '../later.ts';
import { readInquiries } from '../store.ts';
import { anotherNode, type Place } from './place.ts';

const MINUTE = 60_000;
const ASK = { prompt: 'Ship it?', deadline: 7_200 };

/** How what is open rings again, as a person chose; the same on every engine. */
export function remindersContract(open: (t: TestContext) => Promise<Place>): void {
  const test = testsIn(async (t) => {
    const place = await open(t);
    // As soon as it is moved the clock is the test's own.
    place.pass(1);
    const endpoint = 'https://fcm.googleapis.com/fcm/send/1';
    const keys = { p256dh: '', auth: '', vapid_public_key: '' };
    const row = { device_id: place.laptop.deviceId, endpoint, ...keys, created_at: 0 };
    await place.database.transaction((trx) => trx.insertInto('subscriptions').values(row).execute());
    return place;
  });

  for (const [reminders, ...rings] of [
    [undefined, 0],
    ['never', 0],
    ['once', 0, 10],
    ['repeat', 0, 30, 60, 90],
  ] as const)
    test(`[DLV5] with reminders ${reminders} it rings after ${rings.join(', ')} minutes, whichever node looks`, async (p) => {
      await choose(p, { reminders });
      const id = await p.ask(ASK);
      const nodes = [p.inquiries, anotherNode(p)];
      const rang = await ringing(p, id, 130, () => Promise.all(nodes.map((node) => sweep(node))));
      deepStrictEqual([rang, (await p.resolution(id))?.outcome], [rings, 'expired']);
    });

  test('[DLV5] what is answered rings no more, and rounds in which no node looked are not caught up', async (p) => {
    await choose(p, { reminders: 'repeat' });
    const [answered, slept] = [await p.ask(ASK), await p.ask(ASK)];
    await p.answer(answered, { text: 'Yes' });
    p.pass(70 * MINUTE);
    const look = () => sweep(p.inquiries);
    deepStrictEqual([await ringing(p, slept, 40, look), await ringing(p, answered, 1, look)], [[0, 30], []]);
  });

  test('[DLV5] a change counts from when it is made, for what is open and rang; what is set apart stays so', async (p) => {
    const [apart, back, open] = [await p.ask(ASK), await p.ask(ASK), await p.ask(ASK)];
    const quiet = await p.ask(ASK);
    await p.database.transaction((trx) => trx.deleteFrom('pushes').where('subject_id', '=', quiet).execute());
    const until = p.database.clock.now() + 60 * MINUTE;
    for (const id of [apart, back]) await setApart(p.inquiries, p.phone, id, until);
    await choose(p, { reminders: 'once' });
    await rescheduleReminders(p.database, p.phone.personId);
    await setApart(p.inquiries, p.phone, back, undefined);
    const dueIn = async (id: string) => {
      const row = p.database.read.selectFrom('recipients').select(['remind_at', 'later']).where('inquiry_id', '=', id);
      const { remind_at, later } = await row.executeTakeFirstOrThrow();
      return [later, remind_at && Math.round((remind_at - p.database.clock.now()) / MINUTE)];
    };
    const found = async () => Promise.all([apart, back, open, quiet].map(dueIn));
    const once = await found();
    await choose(p, {});
    await rescheduleReminders(p.database, p.phone.personId);
    deepStrictEqual(
      [once, await found()],
      [
        [
          [1, 60],
          [0, 10],
          [0, 10],
          [0, null],
        ],
        [
          [1, 60],
          [0, null],
          [0, null],
          [0, null],
        ],
      ],
    );
  });

  test('[DLV5] what a rule asks quietly never rings, and what a decider was to spare is counted from when it wakes people', async (p) => {
    await choose(p, { reminders: 'repeat' });
    const rules: Rule[] = [{ name: 'Quiet', when: { kind: 'text' }, then: 'ask-quietly' }];
    const which = { of: 'person', personId: p.phone.personId } as const;
    const { version } = await readPolicies(p.database, which);
    await putPolicies(p.database, which, { version, rules }, p.phone.deviceId);
    const id = await p.ask(ASK);
    const quiet = await ringing(p, id, 40, () => sweep(p.inquiries));
    const [row] = await readInquiries(p.database.read, [id]);
    await p.database.transaction((trx) => within(trx, notify(row!, p.database.clock.now())));
    const woken = await ringing(p, id, 65, () => sweep(p.inquiries));
    deepStrictEqual([quiet, woken], [[], [0, 30, 60]]);
  });
}

async function choose({ database, phone }: Place, preferences: object): Promise<void> {
  await database.transaction((trx) =>
    trx
      .updateTable('people')
      .set({ preferences: JSON.stringify(preferences) })
      .where('id', '=', phone.personId)
      .execute(),
  );
}

/** After how many of these minutes its push was due, each of which goes out; the nodes look every five. */
async function ringing({ database, pass }: Place, id: string, minutes: number, look: () => Promise<unknown>) {
  const rang: number[] = [];
  for (let minute = 0; minute < minutes; minute += 5) {
    await look();
    const { numUpdatedRows } = await database.transaction((trx) =>
      trx
        .updateTable('pushes')
        .set({ sent: 'ask', due_at: null, accepted_at: database.clock.now() })
        .where('subject_id', '=', id)
        .where('wanted', '=', 'ask')
        .where('due_at', '<=', database.clock.now())
        .executeTakeFirstOrThrow(),
    );
    if (numUpdatedRows > 0n) rang.push(minute);
    pass(5 * MINUTE);
  }
  await look();
  return rang;
}
