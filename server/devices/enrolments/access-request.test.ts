import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Enrolled, AccessRequested, EnrolmentState, Me } from '#shared/wire.ts';
import { addDevice } from '../admit.ts';
import { openDoor, PHONE, type Door } from '../testing/door.ts';

const MINUTE = 60_000;

test('[RES5] an access request is allowed on one device, its six digits let the newcomer in, and all devices are told', async (context) => {
  const door = await openDoor(context);
  const { id: personId, token } = door.owner;
  const { enrolmentId, expiresAt } = await requestAccess(door, 'Owner');
  const seen = { enrolmentId, deviceName: 'Phone', userAgent: PHONE, address: '10.0.0.9', expiresAt };
  deepStrictEqual(door.announced, [['accessRequest', personId, seen]]);
  const waiting = await door.call<{ items: object[] }>('GET', '/v1/enrolments', { token });
  deepStrictEqual(waiting.body.items, [seen]);

  const { code } = await allow(door, enrolmentId);
  match(code, /^\d{6}$/);
  deepStrictEqual(door.announced.at(-1), ['accessRequestWithdraw', personId, { enrolmentId, allowedOn: 'Laptop' }]);
  const enrolled = await type(door, enrolmentId, code);
  strictEqual(enrolled.status, 200);
  const me = await door.call<Me>('GET', '/v1/people/me', { token: enrolled.body.accessToken });
  deepStrictEqual([me.body.person.id, me.body.device.name], [personId, 'Phone']);
  deepStrictEqual(door.announced.at(-1), [
    'enrolled',
    personId,
    { device: { id: enrolled.body.deviceId, name: 'Phone' }, at: me.body.device.createdAt },
  ]);
  deepStrictEqual(codeOf(await type(door, enrolmentId, code)), [410, 'enrolment.expired']);
  deepStrictEqual((await door.call<{ items: object[] }>('GET', '/v1/enrolments', { token })).body.items, []);
});

test('the second device that taps is told where it was allowed', async (context) => {
  const door = await openDoor(context);
  const phone = await addDevice(door.database, door.owner.id, 'Phone');
  const { enrolmentId } = await requestAccess(door, 'owner');
  await allow(door, enrolmentId);
  const late = await door.call('POST', `/v1/enrolments/${enrolmentId}/allow`, { token: phone.accessToken });
  deepStrictEqual(
    [late.status, late.body['code'], late.body['allowedOn']],
    [409, 'enrolment.already_allowed', 'Laptop'],
  );
  const state = await door.call<EnrolmentState>('GET', `/v1/enrolments/${enrolmentId}`, { token: phone.accessToken });
  deepStrictEqual([state.body.state, state.body.allowedOn], ['allowed', 'Laptop']);
});

test('five wrong digits, or five minutes, end an allowed access request', async (context) => {
  const door = await openDoor(context);
  const { enrolmentId } = await requestAccess(door, 'owner');
  const { code } = await allow(door, enrolmentId);
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  const tries = [];
  for (let left = 5; left > 0; left -= 1) tries.push(codeOf(await type(door, enrolmentId, wrong)));
  deepStrictEqual(
    tries,
    tries.map(() => [422, 'enrolment.wrong_code']),
  );
  deepStrictEqual(door.announced.at(-1), ['accessRequestWithdraw', door.owner.id, { enrolmentId }]);
  deepStrictEqual(codeOf(await type(door, enrolmentId, code)), [410, 'enrolment.expired']);

  const slow = await requestAccess(door, 'owner');
  const allowed = await allow(door, slow.enrolmentId);
  door.advance(5 * MINUTE);
  deepStrictEqual(codeOf(await type(door, slow.enrolmentId, allowed.code)), [410, 'enrolment.expired']);
  const tooLate = await door.call('POST', `/v1/enrolments/${(await oldRequest(door)).enrolmentId}/allow`, {
    token: door.owner.token,
  });
  deepStrictEqual(codeOf(tooLate), [410, 'enrolment.expired']);
});

test('"not me" on any device keeps the newcomer out, even after another device allowed it', async (context) => {
  const door = await openDoor(context);
  const phone = await addDevice(door.database, door.owner.id, 'Phone');
  const { enrolmentId } = await requestAccess(door, 'owner');
  const { code } = await allow(door, enrolmentId);
  const refuse = () => door.call('DELETE', `/v1/enrolments/${enrolmentId}`, { token: phone.accessToken });
  strictEqual((await refuse()).status, 204);
  deepStrictEqual(door.announced.at(-1), ['accessRequestWithdraw', door.owner.id, { enrolmentId }]);
  deepStrictEqual(codeOf(await type(door, enrolmentId, code)), [422, 'enrolment.wrong_code']);
  strictEqual((await refuse()).status, 204);
});

test('a handle nobody has behaves like a person who does not react, or says "not me"', async (context) => {
  const door = await openDoor(context);
  const refused = await requestAccess(door, 'owner', '10.0.0.1');
  await door.call('DELETE', `/v1/enrolments/${refused.enrolmentId}`, { token: door.owner.token });
  const ignored = await requestAccess(door, 'owner', '10.0.0.2');
  const unknown = await requestAccess(door, 'nobody', '10.0.0.3');
  const lives = [];
  for (const { enrolmentId } of [refused, ignored, unknown]) {
    const life = [];
    for (const code of ['000000', '111111', '222222', '333333', '444444', '555555']) {
      const { status, body } = await type(door, enrolmentId, code);
      life.push({ status, body });
    }
    lives.push(life);
  }
  deepStrictEqual(lives[1], lives[0]);
  deepStrictEqual(lives[2], lives[0]);
  deepStrictEqual(
    lives[0]?.map(({ status }) => status),
    [422, 422, 422, 422, 422, 410],
  );
});

test('access requests are limited for each handle and each address, known or not', async (context) => {
  const door = await openDoor(context);
  const statuses = async (handle: string, addresses: string[]) => {
    const seen = [];
    for (const address of addresses) seen.push(codeOf(await tryAccess(door, handle, address)));
    return seen;
  };
  const six = ['10.1.0.1', '10.1.0.2', '10.1.0.3', '10.1.0.4', '10.1.0.5', '10.1.0.6'];
  const expected = [...six.slice(1).map(() => [202, undefined]), [429, 'enrolment.too_many']];
  deepStrictEqual(await statuses('owner', six), expected);
  deepStrictEqual(await statuses('nobody', six), expected);
  const fromOne = [];
  for (let guess = 0; guess < 21; guess += 1) fromOne.push((await tryAccess(door, `guess${guess}`, '10.2.0.1')).status);
  deepStrictEqual(fromOne, [...Array.from({ length: 20 }, () => 202), 429]);
  door.advance(10 * MINUTE);
  strictEqual((await tryAccess(door, 'owner', '10.1.0.6')).status, 202);
});

test('only devices of the person who is asked for see an access request', async (context) => {
  const door = await openDoor(context);
  const { body } = await door.call<{ person: { id: string } }>('POST', '/v1/people', {
    token: door.owner.token,
    body: { handle: 'bob' },
  });
  const stranger = await addDevice(door.database, body.person.id, 'Theirs');
  const { enrolmentId } = await requestAccess(door, 'owner');
  const token = stranger.accessToken;
  const url = `/v1/enrolments/${enrolmentId}`;
  const replies = [
    await door.call('GET', url, { token }),
    await door.call('POST', `${url}/allow`, { token }),
    await door.call('DELETE', url, { token }),
  ];
  deepStrictEqual(
    replies.map(codeOf),
    replies.map(() => [404, 'enrolment.unknown']),
  );
  deepStrictEqual((await door.call<{ items: object[] }>('GET', '/v1/enrolments', { token })).body.items, []);
});

test('[SEC1] a stranger without token and handle is refused', async (context) => {
  const door = await openDoor(context);
  const refused = await door.call('POST', '/v1/enrolments');
  deepStrictEqual(codeOf(refused), [401, 'credential.missing']);
  deepStrictEqual(codeOf(await door.call('POST', '/v1/enrolments', { token: 'bkd_x' })), [401, 'credential.missing']);
});

function tryAccess(door: Door, handle: string, address: string) {
  return door.call<AccessRequested>('POST', '/v1/enrolments', { address, body: { handle, deviceName: 'Phone' } });
}

async function requestAccess(door: Door, handle: string, address = '10.0.0.9'): Promise<AccessRequested> {
  const { status, body } = await tryAccess(door, handle, address);
  strictEqual(status, 202);
  deepStrictEqual(Object.keys(body), ['enrolmentId', 'expiresAt']);
  return body;
}

async function oldRequest(door: Door): Promise<AccessRequested> {
  const made = await requestAccess(door, 'owner');
  door.advance(5 * MINUTE);
  return made;
}

async function allow(door: Door, enrolmentId: string): Promise<{ code: string; expiresAt: string }> {
  const { status, body } = await door.call<{ code: string; expiresAt: string }>(
    'POST',
    `/v1/enrolments/${enrolmentId}/allow`,
    {
      token: door.owner.token,
    },
  );
  strictEqual(status, 200);
  return body;
}

function type(door: Door, enrolmentId: string, code: string) {
  return door.call<Enrolled>('POST', '/v1/enrolments/redeem', { body: { enrolmentId, code } });
}

function codeOf({ status, body }: { status: number; body: object }): [number, unknown] {
  return [status, (body as { code?: unknown }).code];
}
