import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Device } from '#shared/wire.ts';
import type { Enrolled, EnrolmentLink } from '#shared/schemas/enrolments.ts';
import type { Http } from '../platform/http/server.ts';
import { addDevice } from './admit.ts';
import { announceAdded } from './admit.ts';
import { findDevice } from './find.ts';
import { nameFrom } from './new-device.ts';
import { signedInAmong, writeLive } from './presence.ts';
import type { Database } from '../platform/database.ts';
import { policyRoutes } from '../automation/rules/routes.ts';
import { openScene, recorder, type Scene } from './testing/scene.ts';

const DAY = 86_400_000;

test('a person sees, renames and signs out their own devices only', async (context) => {
  const scene = await openScene(context);
  const { token, id: ownerId, deviceId } = scene.owner;
  const phone = await addDevice(scene.database, ownerId, 'Phone');
  const bobs = await addPerson(scene, 'bob');

  const renamed = await scene.call<Device>('PATCH', `/v1/devices/${phone.deviceId}`, {
    token,
    body: { name: 'Pixel' },
  });
  const devices = await listDevices(scene);
  deepStrictEqual(
    devices.map(({ id, name, current, live }) => ({ id, name, current, live })),
    [
      { id: deviceId, name: 'Laptop', current: true, live: false },
      { id: phone.deviceId, name: 'Pixel', current: false, live: false },
    ],
  );
  deepStrictEqual(renamed.body, devices[1]);

  for (const [method, body] of [
    ['PATCH', { name: 'Mine' }],
    ['DELETE', undefined],
  ] as const) {
    const foreign = await scene.call(method, `/v1/devices/${bobs.deviceId}`, { token, ...(body ? { body } : {}) });
    deepStrictEqual([foreign.status, foreign.body['code']], [404, 'device.unknown']);
  }
  deepStrictEqual(await scene.call('DELETE', `/v1/devices/${phone.deviceId}`, { token }), {
    status: 200,
    body: { devices: [], people: [], sources: [], gates: [], policies: [] },
  });
  deepStrictEqual(scene.announced, [['revoked', phone.deviceId]]);
  deepStrictEqual(
    (await listDevices(scene)).map(({ id }) => id),
    [deviceId],
  );
  strictEqual(await findDevice(scene.database, phone.accessToken), 'revoked');
  strictEqual((await scene.call('DELETE', `/v1/devices/${phone.deviceId}`, { token })).status, 404);
});

test('a revoked device takes the links it made with it', async (context) => {
  const scene = await openScene(context);
  const lost = await addDevice(scene.database, scene.owner.id, 'Lost phone');
  const made = await scene.call<EnrolmentLink>('POST', '/v1/enrolments', { token: lost.accessToken });
  await scene.call('DELETE', `/v1/devices/${lost.deviceId}`, { token: scene.owner.token });
  const late = await scene.call('POST', '/v1/enrolments/redeem', { body: { secret: made.body.link.split('#')[1] } });
  deepStrictEqual([late.status, late.body['code']], [410, 'enrolment.expired']);
});

test('what a revoked device made stays, and is listed for review', async (context) => {
  const routes = (app: Http, database: Database) => policyRoutes(app, { database });
  const scene = await openScene(context, { routes });
  const stolen = await addDevice(scene.database, scene.owner.id, 'Stolen phone');
  const token = stolen.accessToken;
  const invited = await scene.call<{ person: { id: string } }>('POST', '/v1/people', {
    token,
    body: { handle: 'mallory' },
  });
  const source = await scene.call<{ source: { id: string } }>('POST', '/v1/sources', { token, body: { name: 'Spy' } });
  const link = await scene.call<EnrolmentLink>('POST', `/v1/people/${scene.owner.id}/link`, { token });
  const enrolled = await scene.call<Enrolled>('POST', '/v1/enrolments/redeem', {
    body: { secret: link.body.link.split('#')[1], deviceName: 'Accomplice' },
  });
  for (const path of ['/v1/policies', '/v1/policies/hub'])
    await scene.call('PUT', path, { token, body: { version: 0, rules: [] } });
  const { body, ...revoked } = await scene.call('DELETE', `/v1/devices/${stolen.deviceId}`, {
    token: scene.owner.token,
  });
  const lists = (body['policies'] as { of: string }[]).map(({ of }) => of).toSorted();
  deepStrictEqual(
    { ...revoked, body: { ...body, policies: lists } },
    {
      status: 200,
      body: {
        devices: [{ id: enrolled.body.deviceId, name: 'Accomplice' }],
        people: [{ id: invited.body.person.id, handle: 'mallory' }],
        sources: [{ id: source.body.source.id, name: 'Spy' }],
        gates: [],
        policies: ['hub', 'person'],
      },
    },
  );
});

test('a device stays in while it is used and is out after 90 days without', async (context) => {
  const scene = await openScene(context);
  const { accessToken } = await addDevice(scene.database, scene.owner.id, 'Tablet');
  for (const day of [60, 60, 60]) {
    scene.advance(day * DAY);
    const caller = await findDevice(scene.database, accessToken);
    strictEqual(typeof caller, 'object');
  }
  scene.advance(90 * DAY + 1);
  strictEqual(await findDevice(scene.database, accessToken), 'expired');
  strictEqual(await findDevice(scene.database, 'bkd_nobody'), 'unknown');
});

test('when a device was seen is noted at most once an hour', async (context) => {
  const scene = await openScene(context);
  const seenAt = async () => {
    await findDevice(scene.database, scene.owner.token);
    const row = await scene.database.read
      .selectFrom('devices')
      .select(['seen_at', 'expires_at'])
      .executeTakeFirstOrThrow();
    return row;
  };
  const first = await seenAt();
  scene.advance(59 * 60_000);
  deepStrictEqual(await seenAt(), first);
  scene.advance(2 * 60_000);
  const moved = await seenAt();
  ok(moved.seen_at > first.seen_at);
  strictEqual(moved.expires_at, moved.seen_at + 90 * DAY);
});

test('a device says who it is and whose', async (context) => {
  const scene = await openScene(context);
  deepStrictEqual(await findDevice(scene.database, scene.owner.token), {
    kind: 'device',
    id: scene.owner.deviceId,
    name: 'Laptop',
    person: { id: scene.owner.id, handle: 'owner', name: 'Owner', owner: true, locale: undefined },
  });
});

test('presence lasts until its instant or the last page is gone, and revoked devices have none', async (context) => {
  const scene = await openScene(context);
  const { deviceId, id } = scene.owner;
  const revoked = await addDevice(scene.database, id, 'Old');
  await scene.call('DELETE', `/v1/devices/${revoked.deviceId}`, { token: scene.owner.token });
  const live = async () => (await listDevices(scene)).map((device) => device.live);

  const until = scene.database.clock.now() + 45_000;
  const several = [deviceId, revoked.deviceId, 'dev_none'];
  deepStrictEqual(await signedInAmong(scene.database, several), new Set([deviceId]));
  await writeLive(scene.database, new Map(several.map((one) => [one, until])));
  deepStrictEqual(await live(), [true]);
  scene.advance(46_000);
  deepStrictEqual(await live(), [false]);
  const later = scene.database.clock.now() + 45_000;
  await writeLive(scene.database, new Map([[deviceId, later]]));
  deepStrictEqual(await live(), [true]);
  await writeLive(scene.database, new Map([[deviceId, -later]]));
  deepStrictEqual(await live(), [false]);
});

test('[RES5] a device that the command line let in is announced, once', async (context) => {
  const scene = await openScene(context);
  await announceAdded(scene.database, recorder(scene.announced));
  scene.announced.length = 0;
  const { deviceId } = await addDevice(scene.database, scene.owner.id, 'Script');
  const [row] = await scene.database.read
    .selectFrom('devices')
    .select('created_at')
    .where('id', '=', deviceId)
    .execute();
  await Promise.all([1, 2, 3].map(() => announceAdded(scene.database, recorder(scene.announced))));
  deepStrictEqual(scene.announced, [
    [
      'enrolled',
      scene.owner.id,
      { device: { id: deviceId, name: 'Script' }, at: new Date(row?.created_at ?? 0).toISOString() },
    ],
  ]);
});

test('a new device without a name is called after its browser', () => {
  deepStrictEqual(
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0 Safari/537.36 Edg/148.0',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
      'Mozilla/5.0 (Android 16; Mobile; rv:150.0) Gecko/150.0 Firefox/150.0',
      'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
      'curl/8.20',
    ].map(nameFrom),
    ['Edge on Windows', 'Safari on iPhone', 'Firefox on Android', 'Firefox on Linux', 'New device'],
  );
});

async function listDevices(scene: Scene): Promise<Device[]> {
  return (await scene.call<{ items: Device[] }>('GET', '/v1/devices', { token: scene.owner.token })).body.items;
}

async function addPerson(scene: Scene, handle: string): Promise<Enrolled> {
  const { body } = await scene.call<{ person: { id: string } }>('POST', '/v1/people', {
    token: scene.owner.token,
    body: { handle },
  });
  return addDevice(scene.database, body.person.id, 'Theirs');
}
