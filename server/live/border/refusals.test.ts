import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DeviceToHub } from '#shared/live.ts';
import type { Problem } from '#shared/problem.ts';
import type { Database } from '../../platform/database.ts';
import type { DeviceCaller } from '../../platform/http/access.ts';
import { createLog } from '../../platform/log.ts';
import type { DeviceSocket, LiveServer } from './sockets.ts';
import { openPeople, ORIGIN, sqliteDatabase, startHub, type People, type TestHub } from '../testing/hub.ts';
import { openPage, openReadyPage, refusal, until, type TestPage } from '../testing/page.ts';
import { createReceiver, type Handlers } from './receive.ts';

let database: Database;
let drop: () => Promise<void>;
let hub: TestHub;
let people: People;

before(async () => {
  ({ database, drop } = await sqliteDatabase());
  people = await openPeople(database);
  // Without heartbeats and looks: what a page hears, and why it is out, are its own doing.
  hub = await startHub({ database, heartbeatMs: 3_600_000, checkMs: 3_600_000 });
});
after(async () => {
  await hub.stop();
  await drop();
});

/** Every event a device can send, with a body that is well formed; a new event does not compile until it stands here. */
const EVENTS: { [Event in keyof DeviceToHub]: (inquiryId: string) => Parameters<DeviceToHub[Event]>[0] } = {
  answer: (inquiryId) => ({ inquiryId, text: 'yes' }),
  shown: (inquiryId) => ({ inquiryId }),
  opened: (inquiryId) => ({ inquiryId }),
  dismissed: (inquiryId) => ({ inquiryId }),
  draft: (inquiryId) => ({ inquiryId, answer: { text: 'y' } }),
  extend: (inquiryId) => ({ inquiryId, seconds: 60 }),
  sync: () => ({}),
  notice_read: () => ({ noticeId: 'ntc_1' }),
};
const NAMES = Object.keys(EVENTS) as (keyof DeviceToHub)[];
const ABOUT_INQUIRIES = ['answer', 'shown', 'opened', 'dismissed', 'draft', 'extend'] as const;

/** Everything that an event could have changed. */
async function stored() {
  const { read } = database;
  return {
    inquiries: await read.selectFrom('inquiries').select(['id', 'revision', 'resolution', 'deadline_at']).execute(),
    answers: await read.selectFrom('answers').selectAll().execute(),
    drafts: await read.selectFrom('drafts').selectAll().execute(),
    inquiry_devices: await read.selectFrom('inquiry_devices').selectAll().execute(),
    notices: hub.readNotices.length,
  };
}

test('[SEC1] no stranger comes in, and each is told why in the words of HTTP', async () => {
  const expired = await people.device();
  const revoked = await people.device();
  await database.transaction((trx) =>
    trx.updateTable('devices').set({ expires_at: 1 }).where('id', '=', expired.id).execute(),
  );
  await database.transaction((trx) =>
    trx.updateTable('devices').set({ revoked_at: 1 }).where('id', '=', revoked.id).execute(),
  );
  const cases: [unknown, string][] = [
    [undefined, '401 credential.missing'],
    ['', '401 credential.missing'],
    [7, '401 credential.missing'],
    [{ token: 'x' }, '401 credential.missing'],
    ['x'.repeat(5000), '401 credential.missing'],
    ['bkd_unknown', '401 credential.unknown'],
    [expired.token, '401 credential.expired'],
    [revoked.token, '401 credential.revoked'],
    [people.sourceKey, '403 credential.wrong_kind'],
  ];
  for (const [token, expected] of cases) {
    const { status, code, type, detail } = await refusal(openPage(hub.url, token));
    assert.deepEqual([`${status} ${code}`, type, typeof detail], [expected, `urn:beckon:problem:${code}`, 'string']);
  }
});

test('a page of another protocol is told which one this hub speaks', async () => {
  const { token } = await people.device();
  for (const protocol of [0, 1, 3, '2', undefined, null]) {
    const { code, protocol: spoken } = await refusal(
      openPage(hub.url, token, { protocol: protocol === undefined ? 'none' : protocol }),
    );
    assert.deepEqual({ code, spoken }, { code: 'live.protocol', spoken: 2 });
  }
});

test('[SEC1] a page of another origin is refused at the handshake, ours and none are not', async () => {
  const { token } = await people.device();
  const foreign = openPage(hub.url, token, { extraHeaders: { origin: 'https://evil.example' } });
  assert.equal((await refusal(foreign)).code, 'websocket error');
  for (const page of [openPage(hub.url, token, { extraHeaders: { origin: ORIGIN } }), openPage(hub.url, token)]) {
    await until(() => page.of('snapshot').length === 1, 'a snapshot');
    page.close();
  }
});

test('[SEC1] whoever was never let in hears nothing and changes nothing, whatever they send', async () => {
  const inquiryId = await people.ask(hub.inquiries);
  const before = await stored();
  const stranger = openPage(hub.url, 'bkd_unknown');
  await new Promise((refused) => stranger.socket.once('connect_error', refused));
  // Past socket.io's own client, which holds events back until it is let in.
  const { engine } = stranger.socket.io;
  for (const name of NAMES) engine.write(`20${JSON.stringify([name, EVENTS[name](inquiryId)])}`);
  await until(() => engine.readyState === 'closed', 'the hub to close the line');
  assert.deepEqual([stranger.heard, await stored()], [[], before]);
});

test("[SEC1] another person's inquiry does not exist, by every event", async () => {
  await people.person('mallory');
  const mallory = await openReadyPage(hub.url, (await people.device('mallory')).token);
  const inquiryId = await people.ask(hub.inquiries);
  const before = await stored();
  const replies = await Promise.all(
    ABOUT_INQUIRIES.map(async (name) => [name, await mallory.send(name, EVENTS[name](inquiryId))] as const),
  );
  const problem = {
    type: 'urn:beckon:problem:inquiry.unknown',
    title: 'inquiry unknown',
    status: 404,
    detail: 'There is no such inquiry for you.',
    code: 'inquiry.unknown',
  };
  assert.deepEqual(
    replies,
    ABOUT_INQUIRIES.map((name) => [name, { problem }]),
  );
  assert.deepEqual(await stored(), before);
  assert.deepEqual(
    mallory.heard.map(({ name }) => name),
    ['snapshot'],
  );
  mallory.close();
});

test('[SEC1] a device revoked a moment ago can do nothing more, by every event', async () => {
  const inquiryId = await people.ask(hub.inquiries);
  const before = await stored();
  for (const name of NAMES) {
    const device = await people.device();
    const page = await openReadyPage(hub.url, device.token);
    await database.transaction((trx) =>
      trx.updateTable('devices').set({ revoked_at: 1 }).where('id', '=', device.id).execute(),
    );
    const { problem } = (await page.send(name, EVENTS[name](inquiryId))) as { problem: { code: string } };
    await until(() => !page.socket.connected, 'the page to be out');
    assert.deepEqual([name, problem.code, page.of('revoked')], [name, 'credential.revoked', [{ deviceId: device.id }]]);
  }
  assert.deepEqual(await stored(), before);
});

test('a device has at most 20 pages on a node', async () => {
  const { token } = await people.device();
  const pages: TestPage[] = [];
  for (let count = 0; count < 20; count++) pages.push(await openReadyPage(hub.url, token));
  const { status, code } = await refusal(openPage(hub.url, token));
  assert.deepEqual({ status, code }, { status: 429, code: 'live.too_many' });
  for (const page of pages) page.close();
});

test('a device that floods is refused above its burst and served again a second later', async () => {
  let now = 0;
  const device: DeviceCaller = {
    kind: 'device',
    id: 'dev_1',
    name: 'Laptop',
    person: { id: 'per_1', handle: 'owner', name: 'Owner', owner: true, locale: undefined },
  };
  const socket = { data: { token: 'bkd_1', device, tokens: 2, countedAt: 0 } } as DeviceSocket;
  const find = async () => device;
  const parts = {
    io: {} as LiveServer,
    handlers: {} as Handlers,
    find,
    clock: { now: () => now },
    log: createLog('silent'),
  };
  const receive = createReceiver(parts);
  const send = () =>
    new Promise<string>((told) =>
      receive(socket, 'x', [{}, (reply: { problem: Problem }) => told(reply.problem.code)]),
    );
  const codes = [await send(), await send(), await send()];
  now += 1000;
  codes.push(await send());
  assert.deepEqual(codes, ['event.unknown', 'event.unknown', 'request.too_many', 'event.unknown']);
});
