import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Device, Enrolled, EnrolmentLink } from '#shared/wire.ts';
import { addDevice } from './admit.ts';
import { announceAdded } from './announce-added.ts';
import { findDevice } from './find.ts';
import { nameFrom } from './newcomer.ts';
import { dropLive, signedInAmong, touchLive } from './presence.ts';
import { openDoor, type Door } from './testing/door.ts';

const DAY = 86_400_000;

test('a person sees, renames and signs out their own devices only', async (context) => {
  const door = await openDoor(context);
  const { token, id: ownerId, deviceId } = door.owner;
  const phone = await addDevice(door.database, ownerId, 'Phone');
  const stranger = await addPerson(door, 'bob');

  const renamed = await door.call<Device>('PATCH', `/v1/devices/${phone.deviceId}`, { token, body: { name: 'Pixel' } });
  const devices = await listDevices(door);
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
    const foreign = await door.call(method, `/v1/devices/${stranger.deviceId}`, { token, ...(body ? { body } : {}) });
    deepStrictEqual([foreign.status, foreign.body['code']], [404, 'device.unknown']);
  }
  deepStrictEqual(await door.call('DELETE', `/v1/devices/${phone.deviceId}`, { token }), {
    status: 200,
    body: { devices: [], people: [], sources: [], gates: [] },
  });
  deepStrictEqual(door.announced, [['revoked', phone.deviceId]]);
  deepStrictEqual(
    (await listDevices(door)).map(({ id }) => id),
    [deviceId],
  );
  strictEqual(await findDevice(door.database, phone.accessToken), 'revoked');
  strictEqual((await door.call('DELETE', `/v1/devices/${phone.deviceId}`, { token })).status, 404);
});

test('a revoked device takes the links it made with it', async (context) => {
  const door = await openDoor(context);
  const lost = await addDevice(door.database, door.owner.id, 'Lost phone');
  const made = await door.call<EnrolmentLink>('POST', '/v1/enrolments', { token: lost.accessToken });
  await door.call('DELETE', `/v1/devices/${lost.deviceId}`, { token: door.owner.token });
  const late = await door.call('POST', '/v1/enrolments/redeem', { body: { secret: made.body.link.split('#')[1] } });
  deepStrictEqual([late.status, late.body['code']], [410, 'enrolment.expired']);
});

test('what a revoked device made stays, and is listed for review', async (context) => {
  const door = await openDoor(context);
  const stolen = await addDevice(door.database, door.owner.id, 'Stolen phone');
  const token = stolen.accessToken;
  const invited = await door.call<{ person: { id: string } }>('POST', '/v1/people', {
    token,
    body: { handle: 'mallory' },
  });
  const source = await door.call<{ source: { id: string } }>('POST', '/v1/sources', { token, body: { name: 'Spy' } });
  const link = await door.call<EnrolmentLink>('POST', `/v1/people/${door.owner.id}/link`, { token });
  const enrolled = await door.call<Enrolled>('POST', '/v1/enrolments/redeem', {
    body: { secret: link.body.link.split('#')[1], deviceName: 'Accomplice' },
  });
  const revoked = await door.call('DELETE', `/v1/devices/${stolen.deviceId}`, { token: door.owner.token });
  deepStrictEqual(revoked, {
    status: 200,
    body: {
      devices: [{ id: enrolled.body.deviceId, name: 'Accomplice' }],
      people: [{ id: invited.body.person.id, handle: 'mallory' }],
      sources: [{ id: source.body.source.id, name: 'Spy' }],
      gates: [],
    },
  });
});

test('a device stays in while it is used and is out after 90 days without', async (context) => {
  const door = await openDoor(context);
  const { accessToken } = await addDevice(door.database, door.owner.id, 'Tablet');
  for (const day of [60, 60, 60]) {
    door.advance(day * DAY);
    const caller = await findDevice(door.database, accessToken);
    strictEqual(typeof caller, 'object');
  }
  door.advance(90 * DAY + 1);
  strictEqual(await findDevice(door.database, accessToken), 'expired');
  strictEqual(await findDevice(door.database, 'bkd_nobody'), 'unknown');
});

test('when a device was seen is noted at most once an hour', async (context) => {
  const door = await openDoor(context);
  const seenAt = async () => {
    await findDevice(door.database, door.owner.token);
    const row = await door.database.read
      .selectFrom('devices')
      .select(['seen_at', 'expires_at'])
      .executeTakeFirstOrThrow();
    return row;
  };
  const first = await seenAt();
  door.advance(59 * 60_000);
  deepStrictEqual(await seenAt(), first);
  door.advance(2 * 60_000);
  const moved = await seenAt();
  ok(moved.seen_at > first.seen_at);
  strictEqual(moved.expires_at, moved.seen_at + 90 * DAY);
});

test('a device says who it is and whose', async (context) => {
  const door = await openDoor(context);
  deepStrictEqual(await findDevice(door.database, door.owner.token), {
    kind: 'device',
    id: door.owner.deviceId,
    name: 'Laptop',
    person: { id: door.owner.id, handle: 'owner', name: 'Owner', owner: true, locale: undefined },
  });
});

test('presence lasts until its instant or the last page is gone, and revoked devices have none', async (context) => {
  const door = await openDoor(context);
  const { deviceId, id } = door.owner;
  const revoked = await addDevice(door.database, id, 'Old');
  await door.call('DELETE', `/v1/devices/${revoked.deviceId}`, { token: door.owner.token });
  const live = async () => (await listDevices(door)).map((device) => device.live);

  const until = door.database.clock.now() + 45_000;
  const several = [deviceId, revoked.deviceId, 'dev_none'];
  deepStrictEqual(await signedInAmong(door.database, several), new Set([deviceId]));
  await touchLive(door.database, several, until);
  deepStrictEqual(await live(), [true]);
  door.advance(46_000);
  deepStrictEqual(await live(), [false]);
  await touchLive(door.database, [deviceId], door.database.clock.now() + 45_000);
  deepStrictEqual(await live(), [true]);
  await dropLive(door.database, deviceId);
  deepStrictEqual(await live(), [false]);
});

test('[RES5] a device that the command line let in is announced, once', async (context) => {
  const door = await openDoor(context);
  await announceAdded(door.database, recording(door));
  door.announced.length = 0;
  const { deviceId } = await addDevice(door.database, door.owner.id, 'Script');
  const [row] = await door.database.read
    .selectFrom('devices')
    .select('created_at')
    .where('id', '=', deviceId)
    .execute();
  await Promise.all([1, 2, 3].map(() => announceAdded(door.database, recording(door))));
  deepStrictEqual(door.announced, [
    [
      'enrolled',
      door.owner.id,
      { device: { id: deviceId, name: 'Script' }, at: new Date(row?.created_at ?? 0).toISOString() },
    ],
  ]);
});

test('a newcomer without a name is called after its browser', () => {
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

async function listDevices(door: Door): Promise<Device[]> {
  return (await door.call<{ items: Device[] }>('GET', '/v1/devices', { token: door.owner.token })).body.items;
}

async function addPerson(door: Door, handle: string): Promise<Enrolled> {
  const { body } = await door.call<{ person: { id: string } }>('POST', '/v1/people', {
    token: door.owner.token,
    body: { handle },
  });
  return addDevice(door.database, body.person.id, 'Theirs');
}

function recording(door: Door) {
  const nothing = () => {};
  return {
    accessRequest: nothing,
    accessRequestWithdraw: nothing,
    claimed: nothing,
    revoked: nothing,
    me: nothing,
    enrolled: (...event: [string, { device: { id: string; name: string }; at: string }]) =>
      void door.announced.push(['enrolled', ...event]),
  };
}
