import { deepStrictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { newId } from '#shared/ids.ts';
import { mark } from '../../deliveries/inquiry-devices.ts';
import type { Answerer } from '../answerer.ts';
import { composeInquiry } from '../notification/notification.ts';
import { readForSource } from '../read.ts';
import { sweep } from '../expire.ts';
import { extendInquiry } from '../extend.ts';
import { withdrawInquiry } from '../withdraw.ts';
import { answerAlone, type Place } from './place.ts';

/** What the life of an inquiry wants pushed; the sender is tested with the deliveries. */
export function pushingContract(open: (t: TestContext) => Promise<Place>): void {
  async function subscribed(t: TestContext): Promise<Place> {
    const place = await open(t);
    for (const { deviceId } of [place.phone, place.laptop]) {
      await place.database.transaction((trx) =>
        trx
          .insertInto('subscriptions')
          .values({
            device_id: deviceId,
            endpoint: `https://fcm.googleapis.com/fcm/send/${deviceId}`,
            p256dh: '',
            auth: '',
            vapid_public_key: '',
            created_at: 0,
          })
          .execute(),
      );
    }
    return place;
  }

  /** Phone first; the instants are relative to `from`. */
  async function rows({ database, phone, laptop }: Place, subjectId: string, from: number) {
    const found = await database.read.selectFrom('pushes').selectAll().where('subject_id', '=', subjectId).execute();
    const of = ({ deviceId }: Answerer) => {
      const row = found.find(({ device_id }) => device_id === deviceId);
      return row && [row.wanted, row.due_at === null ? null : row.due_at - from];
    };
    return { phone: of(phone), laptop: of(laptop) };
  }

  async function openedAt({ database }: Place, id: string): Promise<number> {
    const row = await database.read.selectFrom('inquiries').select('opened_at').where('id', '=', id).executeTakeFirst();
    return row?.opened_at ?? 0;
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

  test('an ask is wanted on each subscribed device, a moment later where a page is live', async (t) => {
    const place = await subscribed(t);
    const id = await place.ask({ prompt: 'Ship it?', deadline: 60 });
    const at = await openedAt(place, id);
    deepStrictEqual(await rows(place, id, at), { phone: ['ask', 1_500], laptop: ['ask', 0] });
  });

  test('[WDR1] an answer withdraws it wherever it was sent, the answering device included', async (t) => {
    const place = await subscribed(t);
    const id = await place.ask({ prompt: 'Ship it?' });
    await sent(place, id, place.phone);
    await sent(place, id, place.laptop);
    const { resolution } = await answerAlone(place.inquiries, place.phone, id, { text: 'Yes.' });
    const at = Date.parse(resolution.at);
    deepStrictEqual(await rows(place, id, at), { phone: ['withdraw', 0], laptop: ['withdraw', 0] });
  });

  test('[WDR2] what was not sent yet is dropped, whoever resolves it', async (t) => {
    const place = await subscribed(t);
    const [answered, taken] = [await place.ask({ prompt: 'Ship it?' }), await place.ask({ prompt: 'And that?' })];
    await answerAlone(place.inquiries, place.phone, answered, { text: 'Yes.' });
    await withdrawInquiry(place.inquiries, place.sourceId, taken);
    const dropped = { phone: ['nothing', null], laptop: ['nothing', null] };
    deepStrictEqual([await rows(place, answered, 0), await rows(place, taken, 0)], [dropped, dropped]);
  });

  test('[WDR1] a superseded inquiry is withdrawn with the new one’s ask', async (t) => {
    const place = await subscribed(t);
    const first = await place.ask({ prompt: 'Ship it?' });
    await sent(place, first, place.laptop);
    const second = await place.ask({ prompt: 'Ship 2.5?', supersedes: first });
    const at = await openedAt(place, second);
    deepStrictEqual(await rows(place, first, at), { phone: ['nothing', null], laptop: ['withdraw', 0] });
  });

  test('[DLV2] what a live page showed is not pushed any more', async (t) => {
    const place = await subscribed(t);
    const id = await place.ask({ prompt: 'Ship it?' });
    const at = await openedAt(place, id);
    await mark(place.database, [{ inquiryId: id, deviceId: place.phone.deviceId, kind: 'shown', at }]);
    deepStrictEqual(await rows(place, id, at), { phone: ['nothing', null], laptop: ['ask', 0] });
  });

  test('[RES4] what expired is withdrawn where it was shown and left to its TTL elsewhere', async (t) => {
    const place = await subscribed(t);
    const id = await place.ask({ prompt: 'Ship it?', deadline: 60 });
    await sent(place, id, place.phone);
    await sent(place, id, place.laptop);
    const shown = { inquiryId: id, deviceId: place.phone.deviceId, kind: 'shown' as const };
    await mark(place.database, [{ ...shown, at: place.database.clock.now() }]);
    place.pass(60_001);
    await sweep(place.inquiries);
    const left = await rows(place, id, 0);
    deepStrictEqual([left.phone?.[0], left.laptop], ['withdraw', ['nothing', null]]);
  });

  test('[ASK4] a deadline moved by hand is pushed again to devices that have not shown it', async (t) => {
    const place = await subscribed(t);
    const id = await place.ask({ prompt: 'Ship it?', deadline: 60, latest: 600 });
    await sent(place, id, place.phone);
    await sent(place, id, place.laptop);
    const shown = { inquiryId: id, deviceId: place.phone.deviceId, kind: 'shown' as const };
    await mark(place.database, [{ ...shown, at: place.database.clock.now() }]);
    await extendInquiry(place.inquiries, place.laptop, id, 300);
    const after = await place.database.read
      .selectFrom('pushes')
      .innerJoin('inquiries', 'inquiries.id', 'pushes.subject_id')
      .select(['device_id', 'wanted', 'due_at', 'give_up_at', 'deadline_at'])
      .where('subject_id', '=', id)
      .execute();
    const of = (device: Answerer) => after.find(({ device_id }) => device_id === device.deviceId);
    deepStrictEqual(
      [of(place.phone)?.due_at, of(place.laptop)?.due_at !== null, of(place.laptop)?.give_up_at],
      [null, true, of(place.phone)?.deadline_at],
    );
  });

  test('[DLV2] a subscribed device counts as told at opening, one whose pushes are refused does not', async (t) => {
    const place = await subscribed(t);
    await place.database.transaction((trx) => trx.updateTable('devices').set({ live_until: 0 }).execute());
    const told = async () => {
      const id = await place.ask({ prompt: newId('inq', 0) });
      return (await readForSource(place.inquiries, id, place.sourceId)).reach.told;
    };
    const before = await told();
    await place.database.transaction((trx) => trx.updateTable('subscriptions').set({ trouble: '403' }).execute());
    deepStrictEqual([before, await told()], [2, 0]);
  });

  test('a push says what holds when it is sent: the question, then the answer, and neither at the wrong time', async (t) => {
    const place = await subscribed(t);
    const id = await place.ask({ prompt: 'Ship it?' });
    const compose = async (wanted: 'ask' | 'withdraw') => {
      const device = { id: place.laptop.deviceId, personId: place.laptop.personId };
      const now = place.database.clock.now();
      const message = await composeInquiry(place.database.read, { subjectId: id, wanted, device, now });
      return message && 'title' in message ? message.title : undefined;
    };
    const whileOpen = [await compose('ask'), await compose('withdraw')];
    await answerAlone(place.inquiries, place.phone, id, { text: 'Yes.' });
    deepStrictEqual(
      [...whileOpen, await compose('ask'), await compose('withdraw')],
      ['Ship it?', undefined, undefined, 'Answered: Yes'],
    );
  });

  test('[DLV2] [DLV3] in quiet hours the 60 s in which somebody must be reached begin when it first rings', async (t) => {
    const p = await open(t);
    const from = p.database.clock.now();
    const clock = (ms: number) => new Date(from + ms).toISOString().slice(11, 16);
    const night = {
      timeZone: 'UTC',
      quiet: { spans: [{ from: clock(-60_000), to: clock(7_200_000) }], through: { high: true } },
    };
    await p.database.transaction((trx) =>
      trx
        .updateTable('people')
        .set({ preferences: JSON.stringify(night) })
        .where('id', '=', p.phone.personId)
        .execute(),
    );
    const callback = { url: 'https://example.com/' };
    const [calm, high] = [
      await p.ask({ prompt: 'Calm?', callback }),
      await p.ask({ prompt: 'Now?', urgency: 'high', callback }),
    ];
    const warned = async () => {
      await sweep(p.inquiries);
      const rows = await p.database.read.selectFrom('deliveries').select(['inquiry_id', 'type']).execute();
      return rows.map(({ inquiry_id, type }) => [inquiry_id === calm ? 'calm' : inquiry_id === high && 'high', type]);
    };
    const found = [];
    const end = Date.parse(`${new Date(from + 7_200_000).toISOString().slice(0, 16)}:00Z`) - from;
    for (const pass of [61_000, end - 61_000, 59_000, 2_000, 60_000]) {
      p.pass(pass);
      found.push(await warned());
    }
    const [first, both] = [
      [['high', 'inquiry.unreachable']],
      [
        ['calm', 'inquiry.unreachable'],
        ['high', 'inquiry.unreachable'],
      ],
    ];
    deepStrictEqual(
      found.map((rows) => rows.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))),
      [first, first, first, both, both],
    );
  });
}
