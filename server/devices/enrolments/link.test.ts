import { deepStrictEqual, match, notStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Claimed, Enrolled, EnrolmentLink, EnrolmentState, Me } from '#shared/wire.ts';
import { addDevice } from '../admit.ts';
import { openDoor, PHONE, type Door } from '../testing/door.ts';
import { firstLink } from './link.ts';
import { sweepEnrolments } from './sweep.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test('[RES5] a link of a device lets one newcomer in, once its number was picked, and tells all devices', async (context) => {
  const door = await openDoor(context);
  const { token } = door.owner;
  const { link, enrolmentId } = await makeLink(door);
  match(link, /^http:\/\/hub\.test\/enroll#[\w-]{43}$/);
  const claimed = await open(door, link, 'My phone');
  strictEqual(claimed.status, 202);
  const { claim, number, expiresAt } = claimed.body;
  const seen = { deviceName: 'My phone', userAgent: PHONE, address: '127.0.0.1' };
  const state = await read(door, enrolmentId);
  const numbers = state.numbers ?? [];
  deepStrictEqual(state, { enrolmentId, kind: 'link', state: 'claimed', ...seen, numbers, expiresAt });
  deepStrictEqual([new Set(numbers).size, numbers.includes(number)], [3, true]);
  deepStrictEqual(door.announced, [['claimed', door.owner.deviceId, { enrolmentId, ...seen, numbers, expiresAt }]]);

  const waiting = await door.call<Claimed>('POST', '/v1/enrolments/redeem', { body: { enrolmentId, claim } });
  deepStrictEqual([waiting.status, waiting.body], [202, claimed.body]);
  strictEqual((await confirm(door, enrolmentId, number)).status, 204);
  const enrolled = await door.call<Enrolled>('POST', '/v1/enrolments/redeem', { body: { enrolmentId, claim } });
  strictEqual(enrolled.status, 200);
  const me = await door.call<Me>('GET', '/v1/people/me', { token: enrolled.body.accessToken });
  deepStrictEqual(
    [me.body.person, me.body.device.id, me.body.device.name, me.body.device.userAgent],
    [enrolled.body.person, enrolled.body.deviceId, 'My phone', PHONE],
  );
  deepStrictEqual(door.announced.at(-1), [
    'enrolled',
    door.owner.id,
    { device: { id: enrolled.body.deviceId, name: 'My phone' }, at: me.body.device.createdAt },
  ]);
  const again = await door.call('POST', '/v1/enrolments/redeem', { body: { enrolmentId, claim } });
  deepStrictEqual([again.status, again.body['code']], [410, 'enrolment.used']);
  strictEqual((await door.call('DELETE', `/v1/enrolments/${enrolmentId}`, { token })).status, 409);
});

test('a link is opened once', async (context) => {
  const door = await openDoor(context);
  const { link } = await makeLink(door);
  strictEqual((await open(door, link)).status, 202);
  deepStrictEqual(codeOf(await open(door, link)), [410, 'enrolment.used']);
});

test('a wrong number ends the link for both sides', async (context) => {
  const door = await openDoor(context);
  const { link, enrolmentId } = await makeLink(door);
  const { claim, number } = (await open(door, link)).body;
  const wrong = (await read(door, enrolmentId)).numbers?.find((shown) => shown !== number) ?? '';
  deepStrictEqual(codeOf(await confirm(door, enrolmentId, wrong)), [422, 'enrolment.wrong_number']);
  deepStrictEqual(codeOf(await confirm(door, enrolmentId, number)), [410, 'enrolment.expired']);
  const newcomer = await door.call('POST', '/v1/enrolments/redeem', { body: { enrolmentId, claim } });
  deepStrictEqual(codeOf(newcomer), [410, 'enrolment.refused']);
});

test('a number is picked on the device that made the link, and on no other', async (context) => {
  const door = await openDoor(context);
  const other = await addDevice(door.database, door.owner.id, 'Other');
  const { link, enrolmentId } = await makeLink(door);
  const { number } = (await open(door, link)).body;
  const token = other.accessToken;
  const url = `/v1/enrolments/${enrolmentId}`;
  const replies = [
    await door.call('POST', `${url}/confirm`, { token, body: { number } }),
    await door.call('GET', url, { token }),
    await door.call('DELETE', url, { token }),
    await door.call('POST', `${url}/allow`, { token: door.owner.token }),
  ];
  deepStrictEqual(
    replies.map(codeOf),
    replies.map(() => [404, 'enrolment.unknown']),
  );
  strictEqual((await confirm(door, enrolmentId, number)).status, 204);
});

test('a link taken back, or five minutes old, opens nothing', async (context) => {
  const door = await openDoor(context);
  const back = await makeLink(door);
  for (const _ of [1, 2]) {
    const taken = await door.call('DELETE', `/v1/enrolments/${back.enrolmentId}`, { token: door.owner.token });
    strictEqual(taken.status, 204);
  }
  deepStrictEqual(codeOf(await open(door, back.link)), [410, 'enrolment.expired']);

  const old = await makeLink(door);
  const unconfirmed = await makeLink(door);
  const { enrolmentId, claim, number } = (await open(door, unconfirmed.link)).body;
  door.advance(5 * MINUTE);
  deepStrictEqual(codeOf(await open(door, old.link)), [410, 'enrolment.expired']);
  deepStrictEqual(codeOf(await confirm(door, enrolmentId, number)), [410, 'enrolment.expired']);
  const late = await door.call('POST', '/v1/enrolments/redeem', { body: { enrolmentId, claim } });
  deepStrictEqual(codeOf(late), [410, 'enrolment.expired']);
  strictEqual((await read(door, enrolmentId)).state, 'expired');
});

test('the first start makes links until the owner is in somewhere; the first one used ends them all', async (context) => {
  const door = await openDoor(context);
  const make = () => firstLink(door.database, 'http://hub.test', door.database.clock.now());
  strictEqual(await make(), undefined);
  await door.call('DELETE', `/v1/devices/${door.owner.deviceId}`, { token: door.owner.token });
  const [one, two] = [(await make())?.link ?? '', (await make())?.link ?? ''];
  notStrictEqual(one, two);
  door.advance(23 * HOUR);
  const enrolled = await open(door, one);
  strictEqual(enrolled.status, 200);
  deepStrictEqual(codeOf(await open(door, two)), [410, 'enrolment.used']);
  deepStrictEqual(codeOf(await open(door, one)), [410, 'enrolment.used']);
  strictEqual(await make(), undefined);
});

test('a link for a person is good for 24 hours', async (context) => {
  const door = await openDoor(context);
  const { token } = door.owner;
  const made = await door.call<{ link: string; expiresAt: string }>('POST', `/v1/people/${door.owner.id}/link`, {
    token,
  });
  door.advance(24 * HOUR);
  deepStrictEqual(codeOf(await open(door, made.body.link)), [410, 'enrolment.expired']);
});

test('what ran out more than an hour ago is swept, and nothing of a secret was ever stored', async (context) => {
  const door = await openDoor(context);
  const { link, enrolmentId } = await makeLink(door);
  const { claim } = (await open(door, link)).body;
  const rows = JSON.stringify(await door.database.read.selectFrom('enrolments').selectAll().execute());
  ok(!rows.includes(claim) && !rows.includes(link.split('#')[1] ?? ''));
  strictEqual(await sweepEnrolments(door.database), 0);
  door.advance(65 * MINUTE + 1);
  strictEqual(await sweepEnrolments(door.database), 2);
  deepStrictEqual(codeOf(await door.call('GET', `/v1/enrolments/${enrolmentId}`, { token: door.owner.token })), [
    404,
    'enrolment.unknown',
  ]);
});

test('a newcomer names exactly one way to come in', async (context) => {
  const door = await openDoor(context);
  const forms = [
    {},
    { secret: 'x', jwt: 'y' },
    { enrolmentId: 'enr_x' },
    { claim: 'x' },
    { enrolmentId: 'x', claim: 'y', code: '1' },
  ];
  for (const body of forms) {
    const refused = await door.call<{ faults: object[] }>('POST', '/v1/enrolments/redeem', { body });
    deepStrictEqual(
      [refused.status, refused.body.faults],
      [
        422,
        [
          {
            path: '',
            code: 'enrolment.form',
            message: 'must have exactly one of: secret; enrolmentId and code; enrolmentId and claim; jwt',
          },
        ],
      ],
    );
  }
});

async function makeLink(door: Door): Promise<EnrolmentLink> {
  const { status, body } = await door.call<EnrolmentLink>('POST', '/v1/enrolments', { token: door.owner.token });
  strictEqual(status, 201);
  return body;
}

function open(door: Door, link: string, deviceName?: string) {
  const body = { secret: link.split('#')[1], ...(deviceName === undefined ? {} : { deviceName }) };
  return door.call<Claimed>('POST', '/v1/enrolments/redeem', { body });
}

function confirm(door: Door, enrolmentId: string, number: string) {
  return door.call('POST', `/v1/enrolments/${enrolmentId}/confirm`, { token: door.owner.token, body: { number } });
}

async function read(door: Door, enrolmentId: string): Promise<EnrolmentState> {
  return (await door.call<EnrolmentState>('GET', `/v1/enrolments/${enrolmentId}`, { token: door.owner.token })).body;
}

function codeOf({ status, body }: { status: number; body: object }): [number, unknown] {
  return [status, (body as { code?: unknown }).code];
}
