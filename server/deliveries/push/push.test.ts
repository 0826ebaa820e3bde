import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext } from 'node:test';
import { testsIn } from '../../platform/testing/tests-in.ts';
import { sql } from 'kysely';
import { openDatabase } from '../../platform/engines/open.ts';
import { mark } from '../inquiry-devices.ts';
import { createVapid } from './protocol/vapid.ts';
import { readPushes } from '../read.ts';
import { readingSlowly } from '../testing/scene.ts';
import { ASK_LIFE_MS, messageOf, openScene, type Device, type Scene } from './testing/scene.ts';

async function scene(t: TestContext): Promise<Scene> {
  const dataDir = mkdtempSync(join(tmpdir(), 'beckon-push-'));
  const database = await openDatabase({ dataDir });
  const opened = await openScene(database);
  t.after(async () => {
    await opened.close();
    await database.close();
    rmSync(dataDir, { recursive: true });
  });
  return opened;
}
const test = testsIn(scene);
const kinds = (device: Device): string[] => device.received.map(({ message }) => message.t);
const ending =
  (status: number, headers = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end();

describe('what a push service is sent', () => {
  test('a push can be opened with the browser’s keys, is signed for its push service, and replaces its Topic', async (place) => {
    const phone = await place.device();
    const id = await place.ask();
    await (await place.pusher()).runDue();
    const [push] = phone.received;
    deepStrictEqual(push?.message, messageOf(id, 'ask'));
    deepStrictEqual(
      { ttl: push.ttl, topic: push.topic, urgency: push.urgency, claims: push.claims },
      {
        ttl: ASK_LIFE_MS / 1000,
        topic: id,
        urgency: 'high',
        claims: {
          sub: 'mailto:ops@example.org',
          aud: place.service.origin,
          exp: Math.floor(place.clock.now() / 1000) + 12 * 3_600,
        },
      },
    );
  });

  test('one token is signed for a push service and used again until an hour before it runs out', async (place) => {
    const [phone, laptop] = [await place.device(), await place.device()];
    const pusher = await place.pusher();
    await place.ask();
    await pusher.runDue();
    place.clock.forward(10 * 3_600_000);
    await place.ask();
    await pusher.runDue();
    place.clock.forward(2 * 3_600_000);
    await place.ask();
    await pusher.runDue();
    const [first, second, third] = phone.received.map(({ token }) => token);
    deepStrictEqual([laptop.received[0]?.token, second, third === first], [first, first, false]);
  });

  test('3993 bytes of text fill one record of 4096, and one more is refused without a second try', async (place) => {
    const phone = await place.device();
    const empty = Buffer.byteLength(JSON.stringify(messageOf('inq_00000000000000000000000000', 'ask')));
    const sized = (bytes: number) => ({
      compose: async (_reader: unknown, { subjectId }: { subjectId: string }) =>
        messageOf(subjectId, 'ask', 'x'.repeat(bytes - empty)),
    });
    await place.ask();
    await (await place.pusher(sized(3993))).runDue();
    equal(phone.received[0]?.bytes, 4096);
    const id = await place.ask();
    await (await place.pusher(sized(3994))).runDue();
    deepStrictEqual(
      [await place.attempts(id), (await place.rows(id))[0]?.['due_at'], phone.received.length],
      [[{ number: 1, kind: 'ask', status: 413, error: null }], null, 1],
    );
  });

  test('Apple gets an ask in declarative form and a withdraw no sooner than 35 s later', async (place) => {
    const { id: deviceId } = await place.device();
    await place.database.transaction((trx) =>
      trx.updateTable('subscriptions').set({ endpoint: 'https://web.push.apple.com/x' }).execute(),
    );
    const hosts: string[] = [];
    const pusher = await place.pusher({
      post: async ({ url }) => {
        hosts.push(new URL(url).host);
        return { status: 201 };
      },
    });
    const id = await place.ask();
    await pusher.runDue();
    place.clock.forward(10_000);
    await place.withdraw(id);
    await pusher.runDue();
    const waiting = await place.rows(id);
    place.clock.forward(25_000);
    await pusher.runDue();
    const unlocked = place.clock.now();
    deepStrictEqual(waiting, [{ device_id: deviceId, wanted: 'withdraw', sent: 'ask', due_at: unlocked }]);
    deepStrictEqual(hosts, ['web.push.apple.com', 'web.push.apple.com']);
  });
});

describe('what a push service replies', () => {
  for (const status of [404, 410]) {
    test(`${status} deletes the subscription and whatever was owed to it`, async (place) => {
      const phone = await place.device();
      const ids = [await place.ask(), await place.ask()];
      place.service.next(ending(status));
      await (await place.pusher()).runDue();
      const left = await place.database.read.selectFrom('subscriptions').selectAll().execute();
      const owed = (await Promise.all(ids.map(place.rows))).flat().map((row) => row['due_at']);
      deepStrictEqual([left, owed, place.service.requests.length, phone.received], [[], [null, null], 1, []]);
    });
  }

  for (const status of [400, 401, 403]) {
    test(`${status} keeps the subscription and says what is wrong, until a push is accepted`, async (place) => {
      await place.device();
      await place.ask();
      place.service.next(ending(status));
      const pusher = await place.pusher();
      await pusher.runDue();
      const trouble = () => place.database.read.selectFrom('subscriptions').select('trouble').executeTakeFirst();
      const before = await trouble();
      await place.ask();
      await pusher.runDue();
      ok(before?.trouble?.includes(`(${status})`), before?.trouble ?? 'no trouble');
      deepStrictEqual({ ...(await trouble()) }, { trouble: null });
      equal(place.service.requests.length, 2);
    });
  }

  test('429 rests the whole device for as long as it says', async (place) => {
    const phone = await place.device();
    const [first, second] = [await place.ask(), await place.ask()];
    place.service.next(ending(429, { 'retry-after': '30' }));
    const pusher = await place.pusher();
    await pusher.runDue();
    place.clock.forward(29_999);
    await pusher.runDue();
    equal(place.service.requests.length, 1);
    place.clock.forward(1);
    await pusher.runDue();
    deepStrictEqual(new Set(phone.received.map(({ topic }) => topic)), new Set([first, second]));
  });

  test('500 is tried again with back-off until the deadline and not after it', async (place) => {
    await place.device();
    const id = await place.ask();
    const pusher = await place.pusher();
    const began = place.clock.now();
    const tried: number[] = [];
    for (let second = 0; second <= 70; second++) {
      place.service.next(ending(500));
      const before = place.service.requests.length;
      await pusher.runDue();
      if (place.service.requests.length > before) tried.push((place.clock.now() - began) / 1000);
      place.clock.forward(1_000);
    }
    deepStrictEqual(tried, [0, 2, 6, 14, 30]);
    deepStrictEqual((await place.rows(id))[0]?.['due_at'], null);
  });

  test('what takes longer than the deadline of a request, or talks on for ever, is cut', async (place) => {
    const phone = await place.device();
    await place.ask();
    place.service.next((response) => {
      response.writeHead(201);
      const more = setInterval(() => response.write('x'.repeat(65_536)), 1);
      response.on('close', () => clearInterval(more));
    });
    const pusher = await place.pusher();
    await pusher.runDue();
    await place.ask();
    await pusher.runDue();
    deepStrictEqual([place.service.requests.length, phone.received.length], [2, 1]);
  });

  test('a redirect is not followed and counts as refused', async (place) => {
    await place.device();
    const id = await place.ask();
    place.service.next(ending(307, { location: `${place.service.origin}/elsewhere` }));
    await (await place.pusher()).runDue();
    deepStrictEqual(
      [await place.attempts(id), place.service.requests.length],
      [[{ number: 1, kind: 'ask', status: 307, error: 'refused: redirect' }], 1],
    );
  });

  test('a push service that nobody listed may not lie in a private network', async (place) => {
    await place.device();
    const id = await place.ask();
    const vapid = await createVapid({ keys: place.keys, subject: 'mailto:a@example.org', clock: place.clock });
    const envelope = { vapid, publicUrl: () => 'https://hub.example', isListed: () => false };
    await (await place.pusher({ envelope })).runDue();
    deepStrictEqual(
      [await place.attempts(id), place.service.requests.length],
      [[{ number: 1, kind: 'ask', status: null, error: 'refused: private address' }], 0],
    );
  });
});

describe('what cannot be sent', () => {
  test('a push that cannot be composed is tried with back-off, counts as not sent and holds up nothing', async (place) => {
    const phone = await place.device();
    const poisoned = await place.ask();
    place.clock.forward(1);
    const other = await place.ask();
    const pusher = await place.pusher({
      compose: async (_reader, { subjectId, wanted }) => {
        if (subjectId === poisoned) throw new Error('unexpected');
        return messageOf(subjectId, wanted);
      },
    });
    await pusher.runDue();
    deepStrictEqual(
      [phone.received.map(({ topic }) => topic), await place.attempts(poisoned), await place.rows(poisoned)],
      [
        [other],
        [{ number: 1, kind: 'ask', status: null, error: 'internal error' }],
        [{ device_id: phone.id, wanted: 'ask', sent: null, due_at: place.clock.now() + 2_000 }],
      ],
    );
    equal(await place.withdraw(poisoned), 0);
  });

  test('a push service that hangs holds up no other', async (place) => {
    const hanging = Promise.withResolvers<void>();
    const full = Promise.withResolvers<void>();
    const sent = Promise.withResolvers<void>();
    let most = 0;
    for (let count = 0; count < 100; count++) await place.device();
    await place.database.transaction((trx) =>
      trx
        .updateTable('subscriptions')
        .set({ endpoint: sql`'https://hangs.example/' || device_id`, host: 'hangs.example' })
        .execute(),
    );
    await place.device();
    const pusher = await place.pusher({
      post: async ({ url }) => {
        if (!url.includes('hangs')) sent.resolve();
        else if (++most === 24) full.resolve();
        if (url.includes('hangs')) await hanging.promise;
        return { status: 201 };
      },
    });
    await place.ask();
    pusher.wake();
    await Promise.all([full.promise, sent.promise]);
    equal(most, 24);
    hanging.resolve();
    await pusher.runDue();
  });
});

describe('order and state', () => {
  test('[WDR1] a withdraw never overtakes its ask, however often either is refused', async (place) => {
    const phone = await place.device();
    const id = await place.ask();
    const pusher = await place.pusher();
    // The answer comes while the ask is on its way.
    place.service.onRequest = async () => {
      place.service.onRequest = undefined;
      await place.withdraw(id);
      pusher.wake();
    };
    await pusher.runDue();
    place.service.next(ending(500));
    await pusher.runDue();
    place.clock.forward(5_000);
    await pusher.runDue();
    deepStrictEqual(kinds(phone), ['ask', 'withdraw']);
    equal(place.service.mostAtOnce(), 1);
  });

  test('[WDR2] a device that was away only gets the withdraw', async (place) => {
    const phone = await place.device();
    phone.online = false;
    const pusher = await place.pusher();
    const id = await place.ask();
    await pusher.runDue();
    await place.withdraw(id);
    await pusher.runDue();
    phone.comeBack();
    deepStrictEqual(
      phone.received.map(({ message }) => message),
      [messageOf(id, 'withdraw')],
    );
  });

  test('[WDR2] an ask that was never sent is dropped, and so is one whose only request failed with a status', async (place) => {
    const phone = await place.device();
    const pusher = await place.pusher();
    const unsent = await place.ask();
    const told = await place.withdraw(unsent);
    const refused = await place.ask();
    place.service.next(ending(500));
    await pusher.runDue();
    const toldOfRefused = await place.withdraw(refused);
    await pusher.runDue();
    deepStrictEqual([told, toldOfRefused, kinds(phone), place.service.requests.length], [0, 0, [], 1]);
  });

  test('[WDR1] an ask whose request nobody saw the end of is withdrawn, for it may have arrived', async (place) => {
    const phone = await place.device();
    const id = await place.ask();
    place.service.next((response) => response.destroy());
    const pusher = await place.pusher();
    await pusher.runDue();
    equal(await place.withdraw(id), 1);
    await pusher.runDue();
    deepStrictEqual(kinds(phone), ['withdraw']);
  });

  test('a device with a live page is pushed 1.5 s later, and not at all once the page showed it', async (place) => {
    const pusher = await place.pusher();
    const [shows, hides] = [
      await place.device({ live_until: place.clock.now() + 60_000 }),
      await place.device({ live_until: place.clock.now() + 60_000 }),
    ];
    const inquiryId = await place.ask();
    place.clock.forward(1_499);
    await pusher.runDue();
    await mark(place.database, [{ inquiryId, deviceId: shows.id, kind: 'shown', at: place.clock.now() }]);
    equal(place.service.requests.length, 0);
    place.clock.forward(1);
    await pusher.runDue();
    deepStrictEqual([kinds(shows), kinds(hides)], [[], ['ask']]);
  });

  test('what expired unseen is left to its TTL, what was shown is withdrawn', async (place) => {
    const pusher = await place.pusher();
    const [saw, missed] = [await place.device(), await place.device()];
    const inquiryId = await place.ask();
    await pusher.runDue();
    await mark(place.database, [{ inquiryId, deviceId: saw.id, kind: 'shown', at: place.clock.now() }]);
    await place.withdraw(inquiryId, { expired: true });
    await pusher.runDue();
    deepStrictEqual([kinds(saw), kinds(missed)], [['ask', 'withdraw'], ['ask']]);
  });

  test('a stop between the commit and the request, or in the middle of it, loses nothing and doubles no attempt', async (place) => {
    const phone = await place.device();
    const id = await place.ask();
    const hanging = Promise.withResolvers<void>();
    place.service.next(() => hanging.resolve());
    const first = await place.pusher();
    const sending = first.runDue();
    await hanging.promise;
    await first.stop(0);
    await sending;
    place.clock.forward(31_000);
    await (await place.pusher()).runDue();
    deepStrictEqual(kinds(phone), ['ask']);
    deepStrictEqual(await place.attempts(id), [
      { number: 1, kind: 'ask', status: null, error: 'stopped' },
      { number: 2, kind: 'ask', status: 201, error: null },
    ]);
  });

  test('more than three questions on their way become one digest, which goes with the last of them', async (place) => {
    const phone = await place.device();
    const pusher = await place.pusher();
    const ids = [await place.ask(), await place.ask(), await place.ask(), await place.ask(), await place.ask()];
    await pusher.runDue();
    for (const id of ids) {
      await place.withdraw(id);
      await pusher.runDue();
    }
    deepStrictEqual(
      phone.received.map(({ message, topic }) => [message.t, topic, 'count' in message ? message.count : undefined]),
      [
        // The scene has one more that was never pushed.
        ['digest', 'digest', 6],
        ['digest', 'digest', 5],
        ['digest', 'digest', 4],
        ['digest', 'digest', 3],
        ['digest', 'digest', 2],
        ['withdraw', 'digest', undefined],
      ],
    );
  });

  test('[DLV2] each device’s push can be read with its attempts, and an accepted one counts as accepted', async (place) => {
    const phone = await place.device();
    const id = await place.ask();
    place.service.next(ending(503));
    const pusher = await place.pusher();
    const reader = readingSlowly(place.database, () => pusher.runDue());
    const seen = [];
    for (const ms of [0, 2_000, 0]) {
      place.clock.forward(ms);
      const push = (await readPushes(reader, id)).get(phone.id);
      seen.push([push?.state, push?.attempts.map(({ kind, status }) => [kind, status])]);
    }
    // Each as it was before what is sent while it is read.
    deepStrictEqual(seen, [
      ['pending', []],
      ['pending', [['ask', 503]]],
      [
        'sent',
        [
          ['ask', 503],
          ['ask', 201],
        ],
      ],
    ]);
    const told = await place.database.read.selectFrom('inquiry_devices').select('accepted_at').executeTakeFirst();
    equal(told?.accepted_at, place.clock.now());
  });
});

test('a revoked device’s browser is told that it is signed out', async (place) => {
  const phone = await place.device();
  const pusher = await place.pusher();
  await pusher.signOut(phone.subscription);
  deepStrictEqual(
    phone.received.map(({ message, topic }) => [message, topic]),
    [[{ t: 'signed_out' }, 'signed_out']],
  );
});
