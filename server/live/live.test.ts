import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { AnswerReply } from '#shared/answer.ts';
import { HEARTBEAT_MS } from '#shared/live.ts';
import { revokeDevice } from '../devices/revoke.ts';
import type { Database } from '../platform/database.ts';
import { openPeople, sqliteDatabase, startHub, type People, type TestHub } from './testing/hub.ts';
import { openPage, openReadyPage, until, type TestPage } from './testing/page.ts';

/** Longer than any test. */
const NEVER_MS = 3_600_000;

let database: Database;
let drop: () => Promise<void>;
let hub: TestHub;
let people: People;
let pages: TestPage[] = [];
const page = async (token: string) => {
  const ready = await openReadyPage(hub.url, token);
  // Until the version is read again, what is announced may come with a second snapshot instead.
  await ready.send('sync', {});
  pages.push(ready);
  return ready;
};

before(async () => {
  ({ database, drop } = await sqliteDatabase());
  people = await openPeople(database);
  hub = await startHub({ database, heartbeatMs: 100 });
});
describe('the live line', () => {
  afterEach(() => {
    for (const open of pages) open.close();
    pages = [];
  });
  after(async () => {
    await hub.stop();
    await drop();
  });

  test('[LIV1] a device that connects sees what is open, and then each change in order', async () => {
    const device = await people.device();
    const before = await people.ask(hub.inquiries);
    const laptop = await page(device.token);
    const after = await people.ask(hub.inquiries, { prompt: 'And this?' });
    await until(() => laptop.of('inquiry').length === 1, 'the second inquiry');
    const [snapshot] = laptop.of('snapshot');
    assert.deepEqual(
      snapshot?.inquiries.map(({ id }) => id),
      [before],
    );
    assert.deepEqual({ more: snapshot?.more, drafts: snapshot?.drafts }, { more: false, drafts: [] });
    const [inquiry] = laptop.of('inquiry');
    assert.deepEqual(
      { id: inquiry?.inquiry.id, version: inquiry?.version },
      { id: after, version: snapshot!.version + 1 },
    );
    for (const id of [before, after]) await laptop.send('answer', { inquiryId: id, text: 'yes' });
  });

  test('[POL6] YOLO that starts on one device is told to all pages of that person, and to nobody else', async () => {
    const [phone, laptop] = [await people.device(), await people.device()];
    await people.person('jonas');
    const jonas = await people.device('jonas');
    const pages = [await page(phone.token), await page(laptop.token), await page(jonas.token)];
    const running = {
      id: 'yol_1',
      calls: 'approve' as const,
      startedAt: '2026-11-20T14:06:00.000Z',
      startedOn: { id: phone.id, name: 'Phone' },
      untilAt: '2026-11-20T15:06:00.000Z',
      settledCount: 0,
    };
    hub.live.announce.yolo(phone.personId, { version: 7, running });
    hub.live.announce.yolo(phone.personId, { version: 8 });
    await until(() => pages.slice(0, 2).every((one) => one.of('yolo').length === 2), 'both to know');
    assert.deepEqual(
      pages.map((one) => one.of('yolo')),
      [[{ version: 7, running }, { version: 8 }], [{ version: 7, running }, { version: 8 }], []],
    );
  });

  test('[RES2] that the platform had another answer is told to every page of those who were asked, and to nobody else', async () => {
    const [phone, laptop] = [await people.device(), await people.device()];
    await people.person('carol');
    const carol = await people.device('carol');
    const pages = [await page(phone.token), await page(laptop.token), await page(carol.token)];
    hub.live.announce.notTaken({ inquiryId: 'inq_1', personIds: [phone.personId] });
    await until(() => pages.slice(0, 2).every((one) => one.of('not_taken').length === 1), 'both to know');
    assert.deepEqual(
      pages.map((one) => one.of('not_taken')),
      [[{ inquiryId: 'inq_1' }], [{ inquiryId: 'inq_1' }], []],
    );
  });

  test('[WDR1] an answer withdraws the inquiry once from every other page, and spares the screen that answered', async () => {
    const phone = await people.device('owner', 'Phone');
    const [answering, otherTab, other] = [
      await page(phone.token),
      await page(phone.token),
      await page((await people.device()).token),
    ];
    const inquiryId = await people.ask(hub.inquiries);
    await until(() => pages.every((one) => one.of('inquiry').length === 1), 'the inquiry everywhere');
    const reply = await answering.send('answer', { inquiryId, text: 'Ship it' });
    await until(() => [otherTab, other].every((one) => one.of('withdraw').length === 1), 'two withdraws');
    const { resolution } = reply as AnswerReply;
    const version = otherTab.of('inquiry')[0]!.version + 1;
    assert.deepEqual(reply, { won: true, resolution, version });
    assert.deepEqual(resolution.by, {
      kind: 'person',
      handle: 'owner',
      device: { id: phone.id, name: 'Phone' },
      via: 'live',
    });
    for (const told of [otherTab, other]) assert.deepEqual(told.of('withdraw'), [{ version, inquiryId, resolution }]);
    // Whatever came after on the same line would be there by now.
    await answering.send('sync', {});
    assert.deepEqual(answering.of('withdraw'), []);
  });

  test('[RES2] the loser of a race is told who won, as a reply and not as a problem', async () => {
    const [first, second] = [
      await page((await people.device('owner', 'Phone')).token),
      await page((await people.device()).token),
    ];
    const inquiryId = await people.ask(hub.inquiries);
    const won = (await first.send('answer', { inquiryId, text: 'yes', answerId: 'a' })) as AnswerReply;
    const lost = await second.send('answer', { inquiryId, text: 'no', answerId: 'b' });
    const again = (await first.send('answer', { inquiryId, text: 'yes', answerId: 'a' })) as AnswerReply;
    assert.deepEqual(lost, { won: false, resolution: won.resolution });
    assert.deepEqual(again, { won: true, resolution: won.resolution });
  });

  test('[LIV1] sync sends what is open again before it is acknowledged', async () => {
    const laptop = await page((await people.device()).token);
    const inquiryId = await people.ask(hub.inquiries);
    const reply = await laptop.send('sync', {});
    const snapshots = laptop.of('snapshot');
    assert.deepEqual(
      snapshots.at(-1)?.inquiries.map(({ id }) => id),
      [inquiryId],
    );
    assert.deepEqual(reply, { version: snapshots.at(-1)?.version });
    await laptop.send('answer', { inquiryId, text: 'yes' });
  });

  test('a draft goes with its words to the same person only, to others of the group as a hint', async () => {
    await people.person('alice');
    const [typing, mine, hers] = [
      await page((await people.device('owner', 'Phone')).token),
      await page((await people.device()).token),
      await page((await people.device('alice')).token),
    ];
    const inquiryId = await people.ask(hub.inquiries, { to: ['owner', 'alice'] });
    assert.deepEqual(await typing.send('draft', { inquiryId, answer: { text: 'Perhaps' } }), { ok: true });
    await until(() => mine.of('draft').length + hers.of('draft').length === 2, 'both drafts');
    const [{ answer, ...who }] = mine.of('draft') as [ReturnType<typeof mine.of<'draft'>>[0]];
    assert.deepEqual(answer, { text: 'Perhaps' });
    assert.deepEqual(hers.of('draft'), [who]);
    assert.deepEqual(
      { ...who, at: '', device: who.device.name },
      { inquiryId, device: 'Phone', handle: 'owner', at: '' },
    );
    await typing.send('sync', {});
    assert.deepEqual(typing.of('draft'), []);
    await typing.send('answer', { inquiryId, text: 'yes' });
  });

  test('more than two drafts a second are acknowledged and dropped; those with secrets are told to nobody', async (t) => {
    const moment = database.clock.now();
    const still = await startHub({ database: { ...database, clock: { now: () => moment } } });
    t.after(() => still.stop());
    const [typing, mine] = [
      await openReadyPage(still.url, (await people.device()).token),
      await openReadyPage(still.url, (await people.device()).token),
    ];
    pages.push(typing, mine);
    const inquiryId = await people.ask(hub.inquiries);
    const secret = await people.ask(hub.inquiries, {
      questions: [{ id: 'token', type: 'text', prompt: 'Token?', secret: true }],
    });
    await typing.send('draft', { inquiryId: secret, answer: { values: { token: 'hunter2' } } });
    const replies = await Promise.all(
      ['a', 'b', 'c', 'd'].map((text) => typing.send('draft', { inquiryId, answer: { text } })),
    );
    assert.deepEqual(replies, [{ ok: true }, { ok: true }, { ok: true }, { ok: true }]);
    await until(() => mine.of('draft').length === 1, 'one draft');
    assert.deepEqual(
      mine.of('draft').map(({ answer }) => answer),
      [{ text: 'a' }],
    );
    assert.deepEqual(await database.read.selectFrom('drafts').select('answer').execute(), [{ answer: '{"text":"a"}' }]);
    await typing.send('answer', { inquiryId, text: 'yes' });
    await typing.send('answer', { inquiryId: secret, outcome: 'declined' });
  });

  test('[DLV2] what a device showed, opened and dismissed is written down', async () => {
    const device = await people.device();
    const laptop = await page(device.token);
    const inquiryId = await people.ask(hub.inquiries);
    for (const name of ['shown', 'opened', 'dismissed'] as const)
      assert.deepEqual(await laptop.send(name, { inquiryId }), { ok: true });
    const marks = () =>
      database.read
        .selectFrom('inquiry_devices')
        .selectAll()
        .where('inquiry_id', '=', inquiryId)
        .where('device_id', '=', device.id)
        .executeTakeFirstOrThrow();
    await until(async () => (await marks()).opened_at !== null, 'the marks');
    const row = await marks();
    assert.deepEqual(
      [row.told_at, row.accepted_at, row.shown_at, row.dismissed_at].map((at) => typeof at),
      ['number', 'number', 'number', 'number'],
    );
    await laptop.send('answer', { inquiryId, text: 'yes' });
  });

  test('[ASK4] a deadline moved by hand reaches every page as a new revision', async () => {
    const device = await people.device();
    const [one, two] = [await page(device.token), await page((await people.device()).token)];
    const inquiryId = await people.ask(hub.inquiries, { deadline: 60, latest: 3600 });
    const moved = await one.send('extend', { inquiryId, seconds: 60 });
    await until(() => [one, two].every((told) => told.of('inquiry').length === 2), 'the new deadline');
    const [before, after] = two.of('inquiry');
    assert.deepEqual(after, {
      version: before!.version + 1,
      inquiry: { ...before!.inquiry, deadlineAt: moved['deadlineAt'], revision: 2, reach: after!.inquiry.reach },
    });
    await one.send('answer', { inquiryId, text: 'yes' });
  });

  test('[LIV1] a heartbeat tells each person their own version', async () => {
    await people.person('bob');
    const [mine, his] = [await page((await people.device()).token), await page((await people.device('bob')).token)];
    await until(() => [mine, his].every((one) => one.of('heartbeat').length > 0), 'a heartbeat each');
    assert.deepEqual(his.of('heartbeat')[0]?.version, 0);
    assert.deepEqual(mine.of('heartbeat')[0]?.version, mine.of('snapshot').at(-1)?.version);
  });

  test('a device counts as live while a page of it is connected', async () => {
    const device = await people.device();
    const liveUntil = async () =>
      (
        await database.read
          .selectFrom('devices')
          .select('live_until')
          .where('id', '=', device.id)
          .executeTakeFirstOrThrow()
      ).live_until;
    const [one, two] = [await page(device.token), await page(device.token)];
    await until(async () => (await liveUntil()) > database.clock.now() + 30_000, 'the device to be live');
    await until(() => hub.live.count() === 1, 'one device, however many pages');
    one.close();
    await two.send('sync', {});
    assert.notEqual(await liveUntil(), 0);
    two.close();
    await until(async () => (await liveUntil()) === 0, 'the device to be gone');
    assert.equal(hub.live.count(), 0);
  });

  test('[SEC1] a revoked device is told and out at once', async () => {
    const device = await people.device();
    const [one, two] = [await page(device.token), await page(device.token)];
    await revokeDevice(database, hub.live.devices, device.personId, device.id);
    await until(() => !one.socket.connected && !two.socket.connected, 'both pages to be out');
    assert.deepEqual([one.of('revoked'), two.of('revoked')], [[{ deviceId: device.id }], [{ deviceId: device.id }]]);
  });

  test('[SEC1] a device revoked behind the hub is out at its next event, and silent ones at the next check', async (t) => {
    const [speaking, silent] = [await people.device(), await people.device()];
    // Between heartbeats there is only its event.
    const between = await startHub({ database, heartbeatMs: NEVER_MS });
    t.after(() => between.stop());
    const [one, two] = [await openReadyPage(between.url, speaking.token), await page(silent.token)];
    pages.push(one);
    await database.transaction((trx) =>
      trx.updateTable('devices').set({ revoked_at: 1 }).where('id', 'in', [speaking.id, silent.id]).execute(),
    );
    const reply = (await one.send('sync', {})) as { problem: { code: string; status: number } };
    assert.deepEqual(
      { code: reply.problem.code, status: reply.problem.status },
      { code: 'credential.revoked', status: 401 },
    );
    await until(() => !one.socket.connected && !two.socket.connected, 'both to be out');
    assert.deepEqual(two.of('revoked'), [{ deviceId: silent.id }]);
  });

  test('[SEC1] a device revoked behind the hub hears nothing after 2 s, between heartbeats too', async (t) => {
    const [lost, kept] = [await people.device(), await people.device()];
    const between = await startHub({ database, heartbeatMs: NEVER_MS });
    t.after(() => between.stop());
    const [revoked, silent] = [
      await openReadyPage(between.url, lost.token),
      await openReadyPage(between.url, kept.token),
    ];
    pages.push(revoked, silent);
    await database.transaction((trx) =>
      trx.updateTable('devices').set({ revoked_at: 1 }).where('id', '=', lost.id).execute(),
    );
    const began = performance.now();
    await until(() => !revoked.socket.connected, 'the revoked device to be out');
    // Sooner than the heartbeat of a real hub would notice, on the busiest machine too.
    assert.deepEqual([performance.now() - began < HEARTBEAT_MS, silent.socket.connected], [true, true]);
  });

  test('a stopping hub says nothing and its pages come back', async () => {
    const second = await startHub({ database, heartbeatMs: NEVER_MS });
    const device = await people.device();
    const laptop = openPage(second.url, device.token, { reconnection: true });
    pages.push(laptop);
    await until(() => laptop.of('snapshot').length === 1, 'a snapshot');
    await second.stop();
    await until(() => !laptop.socket.connected, 'the line to be cut');
    assert.deepEqual(
      { active: laptop.socket.active, heard: laptop.heard.map(({ name }) => name) },
      { active: true, heard: ['snapshot'] },
    );
  });
});
