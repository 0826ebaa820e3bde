import { deepStrictEqual, rejects } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { newId } from '#shared/ids.ts';
import { mark } from '../../deliveries/inquiry-devices.ts';
import { addDevice } from '../../devices/admit.ts';
import { testsIn } from '../../platform/testing/tests-in.ts';
import { answerInquiry } from '../answer.ts';
import type { Answerer } from '../answerer.ts';
import { sweep } from '../expire.ts';
import { extendInquiry } from '../extend.ts';
import { setApart } from '../later.ts';
import { remind } from '../remind.ts';
import { composeInquiry } from '../notification/notification.ts';
import { readOpen, readSnapshot } from '../read.ts';
import { anotherNode, type Place } from './place.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ASK = { prompt: 'Ship it?', deadline: 7_200 };

/** What a person sets apart until later, and how it comes back; the same on every engine. */
export function laterContract(open: (t: TestContext) => Promise<Place>): void {
  const test = testsIn(async (t) => {
    const place = await open(t);
    // As soon as it is moved the clock is the test's own.
    place.pass(1);
    for (const { deviceId } of [place.phone, place.laptop]) await subscribe(place, deviceId);
    return place;
  });

  test('[DLV4] [LIV1] what is set apart is open and the same on all devices of this person, and nothing for others', async (p) => {
    const jonas = await addPerson(p, 'jonas');
    const id = await p.ask({ ...ASK, to: [p.phone.handle, 'jonas'] });
    const at = p.database.clock.now() + HOUR;
    const before = (await readSnapshot(p.inquiries, p.laptop)).version;
    await setApart(p.inquiries, p.phone, id, at);
    const shown = async () => {
      const of = async (who: Answerer) => {
        const { inquiries } = await readSnapshot(p.inquiries, who);
        const { items } = await readOpen(p.database.read, who, { limit: 9, now: p.database.clock.now() });
        return [...inquiries, ...items].map(({ laterAt, state }) => `${state} ${laterAt}`);
      };
      return [await of(p.phone), await of(p.laptop), await of(jonas)];
    };
    const until = `open ${new Date(at).toISOString()}`;
    const here = 'open undefined';
    deepStrictEqual(await shown(), [
      [until, until],
      [until, until],
      [here, here],
    ]);
    const { version } = await readSnapshot(p.inquiries, p.laptop);
    const versions = [{ personId: p.phone.personId, version: before + 1 }];
    deepStrictEqual([version, p.news.at(-1)], [before + 1, { event: 'later', inquiryId: id, versions }]);
    await setApart(p.inquiries, p.laptop, id, undefined);
    deepStrictEqual(await shown(), [
      [here, here],
      [here, here],
      [here, here],
    ]);
    await setApart(p.inquiries, p.phone, id, at);
    deepStrictEqual((await answerInquiry(p.inquiries, jonas, id, { text: 'Yes' })).won, true);
    deepStrictEqual(await due(p), []);
  });

  test('[DLV4] no instant that is past or later than 15 minutes before the deadline sets anything apart', async (p) => {
    const stranger = await addPerson(p, 'jonas');
    const id = await p.ask({ ...ASK, latest: 86_400 });
    const { deadlineAt } = await p.read(id);
    const last = Date.parse(deadlineAt) - 15 * MINUTE;
    const set = (at: number | undefined, who = p.phone) => setApart(p.inquiries, who, id, at);
    const fault = (code: string) => ({ code: 'request.invalid', faults: [{ ...FAULTS[code], code }] });
    await rejects(set(p.database.clock.now()), fault('later.past'));
    await rejects(set(last + 1), fault('later.too_late'));
    await rejects(set(NaN), fault('later.too_late'));
    await rejects(set(last, stranger), { code: 'inquiry.unknown' });
    deepStrictEqual(await due(p), []);
    await set(last);
    deepStrictEqual(await due(p), [['later', last]]);
    await extendInquiry(p.inquiries, p.phone, id, 60);
    await set(last + MINUTE);
    await p.answer(id, { text: 'Yes' });
    for (const at of [last, undefined]) await rejects(set(at), { code: 'inquiry.already_resolved' });
    const passed = await p.ask({ prompt: 'Passed?', deadline: 1_000 });
    p.pass(1_000_000);
    await rejects(setApart(p.inquiries, p.phone, passed, undefined), { code: 'inquiry.already_resolved' });
  });

  test('[DLV4] it rings on each device when it comes back, once, whichever node looks, also where a page showed it', async (p) => {
    const id = await p.ask(ASK);
    await mark(p.database, [{ inquiryId: id, deviceId: p.phone.deviceId, kind: 'opened', at: p.database.clock.now() }]);
    await sent(p, id, p.laptop);
    await setApart(p.inquiries, p.phone, id, p.database.clock.now() + HOUR);
    const nodes = [p.inquiries, anotherNode(p)];
    const look = () => Promise.all(nodes.map((node) => sweep(node)));
    p.pass(HOUR - MINUTE);
    await look();
    deepStrictEqual(await pushes(p, id), { phone: ['nothing', null], laptop: ['ask', null] });
    p.pass(MINUTE);
    await look();
    deepStrictEqual(await pushes(p, id), { phone: ['ask', 'due'], laptop: ['ask', 'due'] });
    deepStrictEqual(
      (await readSnapshot(p.inquiries, p.phone)).inquiries.map(({ laterAt }) => laterAt),
      [undefined],
    );
    await sent(p, id, p.phone);
    await sent(p, id, p.laptop);
    p.pass(HOUR - MINUTE);
    await look();
    deepStrictEqual([await pushes(p, id), await due(p)], [{ phone: ['ask', null], laptop: ['ask', null] }, []]);
    await p.answer(id, { text: 'Yes' });
    deepStrictEqual(await pushes(p, id), { phone: ['withdraw', 'due'], laptop: ['withdraw', 'due'] });
  });

  test('[DLV4] until then no push says it, whatever makes one due, and no badge counts it', async (p) => {
    const id = await p.ask({ ...ASK, latest: 86_400 });
    await p.ask({ prompt: 'And this?' });
    const say = async (subjectId: string, { deviceId, personId }: Answerer) => {
      const push = {
        subjectId,
        wanted: 'ask',
        device: { id: deviceId, personId },
        now: p.database.clock.now(),
      } as const;
      const message = await composeInquiry(p.database.read, push);
      return message && 'badge' in message ? message.badge : undefined;
    };
    deepStrictEqual(await say(id, p.phone), 2);
    await setApart(p.inquiries, p.phone, id, p.database.clock.now() + HOUR);
    await extendInquiry(p.inquiries, p.laptop, id, 60);
    const [other = ''] = (await readSnapshot(p.inquiries, p.phone)).inquiries.map((one) => one.id);
    deepStrictEqual(
      [await say(id, p.phone), await say(id, p.laptop), await say(other, p.phone)],
      [undefined, undefined, 1],
    );
    p.pass(HOUR);
    await sweep(p.inquiries);
    deepStrictEqual(await say(id, p.laptop), 2);
  });

  test('[race] [DLV4] [RES1] an answer at the moment it comes back leaves nothing that rings', async (p) => {
    const nodes = [p.inquiries, anotherNode(p)];
    const ids: string[] = [];
    for (let count = 0; count < 40; count++) {
      const id = await p.ask(ASK);
      await mark(p.database, [{ inquiryId: id, deviceId: p.phone.deviceId, kind: 'opened', at: 1 }]);
      await setApart(p.inquiries, p.phone, id, p.database.clock.now() + HOUR);
      ids.push(id);
    }
    p.pass(HOUR);
    const answer = (id: string) => answerInquiry(nodes[0]!, p.laptop, id, { text: 'Yes' });
    await Promise.all(ids.flatMap((id) => [remind(nodes[1]!, id), answer(id), remind(nodes[0]!, id)]));
    await sweep(nodes[1]!);
    // Nothing was sent of it, so nothing is to be withdrawn.
    const nothing = { phone: ['nothing', null], laptop: ['nothing', null] };
    deepStrictEqual(
      await Promise.all(ids.map((id) => pushes(p, id))),
      ids.map(() => nothing),
    );
  });
}

const FAULTS: Record<string, { path: string; message: string }> = {
  'later.past': { path: '/at', message: 'is past' },
  'later.too_late': { path: '/at', message: 'must be at least 15 minutes before the deadline' },
};

async function addPerson({ database }: Place, handle: string): Promise<Answerer> {
  const row = { id: newId('per', database.clock.now()), handle, name: handle, created_at: 0, locale: null };
  await database.transaction((trx) => trx.insertInto('people').values(row).execute());
  const { deviceId } = await addDevice(database, row.id, 'Phone');
  return { deviceId, deviceName: 'Phone', personId: row.id, handle, via: 'live' };
}

async function subscribe({ database }: Place, deviceId: string): Promise<void> {
  const endpoint = `https://fcm.googleapis.com/fcm/send/${deviceId}`;
  const keys = { p256dh: '', auth: '', vapid_public_key: '' };
  await database.transaction((trx) =>
    trx
      .insertInto('subscriptions')
      .values({ device_id: deviceId, endpoint, ...keys, created_at: 0 })
      .execute(),
  );
}

/** What is to ring again, and when. */
async function due({ database }: Place): Promise<unknown[]> {
  const rows = await database.read
    .selectFrom('recipients')
    .select(['later', 'remind_at'])
    .where('remind_at', 'is not', null)
    .where('open', '=', 1)
    .execute();
  return rows.map(({ later, remind_at }) => [later === 1 ? 'later' : 'again', remind_at]);
}

/** What is wanted of it on the phone and the laptop, and whether that is due. */
async function pushes({ database, phone, laptop }: Place, id: string) {
  const rows = await database.read.selectFrom('pushes').selectAll().where('subject_id', '=', id).execute();
  const of = ({ deviceId }: Answerer) => {
    const row = rows.find(({ device_id }) => device_id === deviceId);
    return row && [row.wanted, row.due_at === null ? null : row.due_at <= database.clock.now() ? 'due' : 'not yet'];
  };
  return { phone: of(phone), laptop: of(laptop) };
}

/** As the sender leaves it when the push service took the ask. */
async function sent({ database }: Place, id: string, { deviceId }: Answerer): Promise<void> {
  await database.transaction((trx) =>
    trx
      .updateTable('pushes')
      .set({ sent: 'ask', due_at: null, accepted_at: database.clock.now() })
      .where('subject_id', '=', id)
      .where('device_id', '=', deviceId)
      .execute(),
  );
}
