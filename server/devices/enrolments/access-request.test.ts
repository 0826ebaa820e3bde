import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Me } from '#shared/wire.ts';
import type { Enrolled, AccessRequested, EnrolmentState } from '#shared/schemas/enrolments.ts';
import { addDevice } from '../admit.ts';
import { openScene, PHONE, type Scene } from '../testing/scene.ts';

const MINUTE = 60_000;

test('[RES5] an access request is allowed on one device, its six digits let the new device in, and all devices are told', async (context) => {
  const scene = await openScene(context);
  const { id: personId, token } = scene.owner;
  const { enrolmentId, expiresAt } = await requestAccess(scene, 'Owner');
  const seen = { enrolmentId, deviceName: 'Phone', userAgent: PHONE, address: '10.0.0.9', expiresAt };
  deepStrictEqual(scene.announced, [['access_request', personId, seen]]);
  const waiting = await scene.call<{ items: object[] }>('GET', '/v1/enrolments', { token });
  deepStrictEqual(waiting.body.items, [seen]);

  const { code } = await allow(scene, enrolmentId);
  match(code, /^\d{6}$/);
  deepStrictEqual(scene.announced.at(-1), ['access_request_withdraw', personId, { enrolmentId, allowedOn: 'Laptop' }]);
  const enrolled = await type(scene, enrolmentId, code);
  strictEqual(enrolled.status, 200);
  const me = await scene.call<Me>('GET', '/v1/people/me', { token: enrolled.body.accessToken });
  deepStrictEqual([me.body.person.id, me.body.device.name], [personId, 'Phone']);
  deepStrictEqual(scene.announced.at(-1), [
    'enrolled',
    personId,
    { device: { id: enrolled.body.deviceId, name: 'Phone' }, at: me.body.device.createdAt },
  ]);
  deepStrictEqual(codeOf(await type(scene, enrolmentId, code)), [410, 'enrolment.expired']);
  deepStrictEqual((await scene.call<{ items: object[] }>('GET', '/v1/enrolments', { token })).body.items, []);
});

test('the second device that taps is told where it was allowed', async (context) => {
  const scene = await openScene(context);
  const phone = await addDevice(scene.database, scene.owner.id, 'Phone');
  const { enrolmentId } = await requestAccess(scene, 'owner');
  await allow(scene, enrolmentId);
  const late = await scene.call('POST', `/v1/enrolments/${enrolmentId}/allow`, { token: phone.accessToken });
  deepStrictEqual(
    [late.status, late.body['code'], late.body['allowedOn']],
    [409, 'enrolment.already_allowed', 'Laptop'],
  );
  const state = await scene.call<EnrolmentState>('GET', `/v1/enrolments/${enrolmentId}`, { token: phone.accessToken });
  deepStrictEqual([state.body.state, state.body.allowedOn], ['allowed', 'Laptop']);
});

test('five wrong digits, or five minutes, end an allowed access request', async (context) => {
  const scene = await openScene(context);
  const { enrolmentId } = await requestAccess(scene, 'owner');
  const { code } = await allow(scene, enrolmentId);
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  const tries = [];
  for (let left = 5; left > 0; left -= 1) tries.push(codeOf(await type(scene, enrolmentId, wrong)));
  deepStrictEqual(
    tries,
    tries.map(() => [422, 'enrolment.wrong_code']),
  );
  deepStrictEqual(scene.announced.at(-1), ['access_request_withdraw', scene.owner.id, { enrolmentId }]);
  deepStrictEqual(codeOf(await type(scene, enrolmentId, code)), [410, 'enrolment.expired']);

  const slow = await requestAccess(scene, 'owner');
  const allowed = await allow(scene, slow.enrolmentId);
  scene.advance(5 * MINUTE);
  deepStrictEqual(codeOf(await type(scene, slow.enrolmentId, allowed.code)), [410, 'enrolment.expired']);
  const tooLate = await scene.call('POST', `/v1/enrolments/${(await oldRequest(scene)).enrolmentId}/allow`, {
    token: scene.owner.token,
  });
  deepStrictEqual(codeOf(tooLate), [410, 'enrolment.expired']);
});

test('"not me" on any device keeps the new device out, even after another device allowed it', async (context) => {
  const scene = await openScene(context);
  const phone = await addDevice(scene.database, scene.owner.id, 'Phone');
  const { enrolmentId } = await requestAccess(scene, 'owner');
  const { code } = await allow(scene, enrolmentId);
  const refuse = () => scene.call('DELETE', `/v1/enrolments/${enrolmentId}`, { token: phone.accessToken });
  strictEqual((await refuse()).status, 204);
  deepStrictEqual(scene.announced.at(-1), ['access_request_withdraw', scene.owner.id, { enrolmentId }]);
  deepStrictEqual(codeOf(await type(scene, enrolmentId, code)), [422, 'enrolment.wrong_code']);
  strictEqual((await refuse()).status, 204);
});

test('a handle nobody has behaves like a person who does not react, or says "not me"', async (context) => {
  const scene = await openScene(context);
  const refused = await requestAccess(scene, 'owner', '10.0.0.1');
  await scene.call('DELETE', `/v1/enrolments/${refused.enrolmentId}`, { token: scene.owner.token });
  const ignored = await requestAccess(scene, 'owner', '10.0.0.2');
  const unknown = await requestAccess(scene, 'nobody', '10.0.0.3');
  const lives = [];
  for (const { enrolmentId } of [refused, ignored, unknown]) {
    const life = [];
    for (const code of ['000000', '111111', '222222', '333333', '444444', '555555']) {
      const { status, body } = await type(scene, enrolmentId, code);
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
  const scene = await openScene(context);
  const statuses = async (handle: string, addresses: string[]) => {
    const seen = [];
    for (const address of addresses) seen.push(codeOf(await tryAccess(scene, handle, address)));
    return seen;
  };
  const six = ['10.1.0.1', '10.1.0.2', '10.1.0.3', '10.1.0.4', '10.1.0.5', '10.1.0.6'];
  const expected = [...six.slice(1).map(() => [202, undefined]), [429, 'enrolment.too_many']];
  deepStrictEqual(await statuses('owner', six), expected);
  deepStrictEqual(await statuses('nobody', six), expected);
  const fromOne = [];
  for (let guess = 0; guess < 21; guess += 1)
    fromOne.push((await tryAccess(scene, `guess${guess}`, '10.2.0.1')).status);
  deepStrictEqual(fromOne, [...Array.from({ length: 20 }, () => 202), 429]);
  scene.advance(10 * MINUTE);
  strictEqual((await tryAccess(scene, 'owner', '10.1.0.6')).status, 202);
});

test('a newcomer that asks again replaces its own access request until it is allowed, and no other', async (context) => {
  const scene = await openScene(context);
  const { id: personId } = scene.owner;
  const other = await requestAccess(scene, 'owner', '10.0.0.8');
  const first = await requestAccess(scene, 'owner');
  const second = await requestAccess(scene, 'owner');
  deepStrictEqual(scene.announced.slice(-2), [
    ['access_request_withdraw', personId, { enrolmentId: first.enrolmentId }],
    ['access_request', personId, { ...second, deviceName: 'Phone', userAgent: PHONE, address: '10.0.0.9' }],
  ]);
  const { code } = await allow(scene, second.enrolmentId);
  const third = await requestAccess(scene, 'owner');
  deepStrictEqual(await waitingFor(scene), [other.enrolmentId, third.enrolmentId]);
  strictEqual((await type(scene, second.enrolmentId, code, '10.0.0.9')).status, 200);
  deepStrictEqual(await waitingFor(scene), [other.enrolmentId]);
});

test('a device that is let in, by digits or by a link, retires what else it asked under its name', async (context) => {
  const scene = await openScene(context);
  const other = await requestAccess(scene, 'owner', '10.0.0.8');
  const named = await scene.call<AccessRequested>('POST', '/v1/enrolments', {
    address: '10.0.0.9',
    body: { handle: 'owner', deviceName: 'Mobile' },
  });
  const { enrolmentId } = await requestAccess(scene, 'owner');
  const { code } = await allow(scene, enrolmentId);
  strictEqual((await type(scene, enrolmentId, code, '10.0.0.9')).status, 200);
  deepStrictEqual(await waitingFor(scene), [other.enrolmentId, named.body.enrolmentId]);

  const made = await scene.call<{ link: string }>('POST', `/v1/people/${scene.owner.id}/link`, {
    token: scene.owner.token,
  });
  const secret = made.body.link.split('#')[1];
  await scene.call('POST', '/v1/enrolments/redeem', { address: '10.0.0.8', body: { secret, deviceName: 'Phone' } });
  deepStrictEqual(scene.announced.at(-1), [
    'access_request_withdraw',
    scene.owner.id,
    { enrolmentId: other.enrolmentId },
  ]);
  deepStrictEqual(await waitingFor(scene), [named.body.enrolmentId]);
});

test('only devices of the person who is asked for see an access request', async (context) => {
  const scene = await openScene(context);
  const { body } = await scene.call<{ person: { id: string } }>('POST', '/v1/people', {
    token: scene.owner.token,
    body: { handle: 'bob' },
  });
  const other = await addDevice(scene.database, body.person.id, 'Theirs');
  const { enrolmentId } = await requestAccess(scene, 'owner');
  const token = other.accessToken;
  const url = `/v1/enrolments/${enrolmentId}`;
  const replies = [
    await scene.call('GET', url, { token }),
    await scene.call('POST', `${url}/allow`, { token }),
    await scene.call('DELETE', url, { token }),
  ];
  deepStrictEqual(
    replies.map(codeOf),
    replies.map(() => [404, 'enrolment.unknown']),
  );
  deepStrictEqual((await scene.call<{ items: object[] }>('GET', '/v1/enrolments', { token })).body.items, []);
});

test('[SEC1] a caller without token and handle is refused', async (context) => {
  const scene = await openScene(context);
  const refused = await scene.call('POST', '/v1/enrolments');
  deepStrictEqual(codeOf(refused), [401, 'credential.missing']);
  deepStrictEqual(codeOf(await scene.call('POST', '/v1/enrolments', { token: 'bkd_x' })), [401, 'credential.missing']);
});

function tryAccess(scene: Scene, handle: string, address: string) {
  return scene.call<AccessRequested>('POST', '/v1/enrolments', { address, body: { handle, deviceName: 'Phone' } });
}

async function requestAccess(scene: Scene, handle: string, address = '10.0.0.9'): Promise<AccessRequested> {
  const { status, body } = await tryAccess(scene, handle, address);
  strictEqual(status, 202);
  deepStrictEqual(Object.keys(body), ['enrolmentId', 'expiresAt']);
  return body;
}

async function oldRequest(scene: Scene): Promise<AccessRequested> {
  const made = await requestAccess(scene, 'owner');
  scene.advance(5 * MINUTE);
  return made;
}

async function allow(scene: Scene, enrolmentId: string): Promise<{ code: string; expiresAt: string }> {
  const { status, body } = await scene.call<{ code: string; expiresAt: string }>(
    'POST',
    `/v1/enrolments/${enrolmentId}/allow`,
    {
      token: scene.owner.token,
    },
  );
  strictEqual(status, 200);
  return body;
}

function type(scene: Scene, enrolmentId: string, code: string, address?: string) {
  const more = address === undefined ? {} : { address };
  return scene.call<Enrolled>('POST', '/v1/enrolments/redeem', { ...more, body: { enrolmentId, code } });
}

/** The ids of the access requests that wait for the owner. */
async function waitingFor(scene: Scene): Promise<string[]> {
  const { token } = scene.owner;
  const { body } = await scene.call<{ items: AccessRequested[] }>('GET', '/v1/enrolments', { token });
  return body.items.map(({ enrolmentId }) => enrolmentId);
}

function codeOf({ status, body }: { status: number; body: object }): [number, unknown] {
  return [status, (body as { code?: unknown }).code];
}
