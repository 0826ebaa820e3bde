import { deepStrictEqual, equal } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { test, type TestContext } from 'node:test';
import type { PushMessage, SubscriptionState } from '#shared/push.ts';
import { createApp } from '../../app.ts';
import { pushService, type FakeBrowser } from './testing/push-service.ts';
import { addDevice } from '../../devices/admit.ts';
import { ensureOwner } from '../../people/owner.ts';
import { openDatabase } from '../../platform/engines/open.ts';
import { createLog } from '../../platform/log.ts';
import { readSettings } from '../../platform/settings.ts';
import { createSourceForEverybody } from '../../sources/create.ts';

type Call = (path: string, body?: unknown, method?: string) => Promise<{ status: number; body: never }>;

/** A whole hub on a free port, a push service of its own, a source and as many devices as asked for. */
async function openHub(t: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), 'beckon-app-'));
  const key: { value?: string } = {};
  const service = await pushService(() => key.value ?? '');
  const log = createLog('fatal');
  const database = await openDatabase({ dataDir, log });
  const settings = readSettings({ PORT: '0', DATA_DIR: dataDir, PUSH_HOSTS: service.origin });
  const app = await createApp(settings, database, log);
  const url = await app.start();
  t.after(async () => {
    await app.stop();
    await service.close();
    rmSync(dataDir, { recursive: true });
  });
  const owner = await ensureOwner(database);
  const { key: sourceKey } = await createSourceForEverybody(database, owner.id, 'Release train');

  const callAs =
    (token: string): Call =>
    async (path, body, method = body === undefined ? 'GET' : 'POST') => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const reply = await fetch(url + path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      return { status: reply.status, body: (text === '' ? undefined : JSON.parse(text)) as never };
    };
  return {
    service,
    source: callAs(sourceKey),
    async device(name: string) {
      const { accessToken, deviceId } = await addDevice(database, owner.id, name);
      const call = callAs(accessToken);
      const state: SubscriptionState = (await call('/v1/devices/me/subscription')).body;
      key.value = state.vapidPublicKey;
      const browser = service.browser();
      const subscription = { ...browser.subscription, vapidPublicKey: state.vapidPublicKey };
      equal((await call('/v1/devices/me/subscription', subscription, 'PUT')).status, 200);
      return { deviceId, call, browser };
    },
  };
}

async function pushes(browser: FakeBrowser, count: number): Promise<PushMessage[]> {
  while (browser.received.length < count) await pause(10);
  return browser.received.map(({ message }) => message);
}

test('[WDR1] a question reaches every subscribed device and is taken back from all of them', async (t) => {
  const hub = await openHub(t);
  const [phone, laptop] = [await hub.device('iPhone'), await hub.device('MacBook')];
  const question = { id: 'q', type: 'choice', prompt: 'Ship it?', options: options('Ship', 'Wait') };
  const asked: { id: string } = (await hub.source('/v1/inquiries', { questions: [question] })).body;
  const [ask] = await pushes(phone.browser, 1);
  await pushes(laptop.browser, 1);
  if (ask?.t !== 'ask') throw new Error('not an ask');
  deepStrictEqual(
    [ask.title, ask.body, ask.actions.map(({ title }) => title), ask.badge],
    ['Ship it?', 'Release train.', ['Ship', 'Wait'], 1],
  );
  equal((await phone.call(`/v1/inquiries/${asked.id}/marks`, { kind: 'shown' })).status, 204);
  // The button's body is the whole answer.
  const answered = await phone.call(`/v1/inquiries/${asked.id}/answer`, ask.actions[1]?.body);
  equal(answered.status, 200);
  const withdraw = (on: string) => ({
    t: 'withdraw',
    id: asked.id,
    title: 'Answered: Wait',
    body: on,
    lang: 'en',
    badge: 0,
  });
  deepStrictEqual((await pushes(phone.browser, 2))[1], withdraw('You, on iPhone'));
  deepStrictEqual((await pushes(laptop.browser, 2))[1], withdraw('You, on iPhone'));
});

test('[DLV2] each device’s push stands with the inquiry’s deliveries, and what a worker showed with its device', async (t) => {
  const hub = await openHub(t);
  const phone = await hub.device('iPhone');
  const asked: { id: string } = (await hub.source('/v1/inquiries', { prompt: 'Ship it?' })).body;
  await pushes(phone.browser, 1);
  await phone.call(`/v1/inquiries/${asked.id}/marks`, { kind: 'opened' });
  await phone.call(`/v1/inquiries/${asked.id}/marks`, { kind: 'shown' });
  type Deliveries = { items: { push: { state: string }; shownAt?: string; openedAt?: string }[] };
  const read = async () => ((await hub.source(`/v1/inquiries/${asked.id}/deliveries`)).body as Deliveries).items[0];
  while ((await read())?.push.state !== 'sent') await pause(10);
  const item = await read();
  const { subscription }: SubscriptionState = (await phone.call('/v1/devices/me/subscription')).body;
  deepStrictEqual(
    [item?.shownAt !== undefined, item?.openedAt !== undefined, subscription?.shownAt !== undefined],
    [true, true, true],
  );
});

test('a test push goes to the device that asks for it, there and back', async (t) => {
  const hub = await openHub(t);
  const phone = await hub.device('iPhone');
  const { status, body } = await phone.call('/v1/devices/me/test-push', {});
  const { id } = body as { id: string };
  deepStrictEqual(
    [status, await pushes(phone.browser, 1)],
    [202, [{ t: 'test', id, title: 'This is a test', body: 'Notifications reach this device.', lang: 'en' }]],
  );
  equal((await phone.call('/v1/devices/me/shown', { id })).status, 204);
});

test('a notice rides the same way, and read on one device it is taken back from all', async (t) => {
  const hub = await openHub(t);
  const [phone, laptop] = [await hub.device('iPhone'), await hub.device('MacBook')];
  const { id }: { id: string } = (await hub.source('/v1/notices', { title: 'Backup done', link: 'https://a.example/' }))
    .body;
  deepStrictEqual(await pushes(phone.browser, 1), [
    {
      t: 'notice',
      id,
      title: 'Backup done',
      body: 'Release train',
      lang: 'en',
      link: 'https://a.example/',
      urgency: 'normal',
      badge: 0,
    },
  ]);
  await pushes(laptop.browser, 1);
  await laptop.call(`/v1/notices/${id}/read`, {});
  const withdraw = { t: 'withdraw', id, title: 'Read: Backup done', body: '', lang: 'en', badge: 0 };
  deepStrictEqual([(await pushes(phone.browser, 2))[1], (await pushes(laptop.browser, 2))[1]], [withdraw, withdraw]);
});

test('a device that is signed out gets one last push, and its subscription is gone', async (t) => {
  const hub = await openHub(t);
  const [phone, laptop] = [await hub.device('iPhone'), await hub.device('MacBook')];
  await laptop.call(`/v1/devices/${phone.deviceId}`, undefined, 'DELETE');
  deepStrictEqual(await pushes(phone.browser, 1), [{ t: 'signed_out' }]);
  await hub.source('/v1/inquiries', { prompt: 'Still there?' });
  await pushes(laptop.browser, 1);
  equal(phone.browser.received.length, 1);
});

function options(...labels: string[]) {
  return labels.map((label) => ({ value: label.toLowerCase(), label }));
}
