import { deepStrictEqual, match, notStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Claimed, Enrolled, EnrolmentLink, EnrolmentState } from '#shared/schemas/enrolments.ts';
import type { Me, NewPersonReply } from '#shared/wire.ts';
import { addDevice } from '../admit.ts';
import { openScene, PHONE, type Scene } from '../testing/scene.ts';
import { firstLink } from './link.ts';
import { sweepEnrolments } from './state.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test('[RES5] a link of a device lets one new device in, once its number was picked, and tells all devices', async (context) => {
  const scene = await openScene(context);
  const { token } = scene.owner;
  const { link, enrolmentId } = await makeLink(scene);
  match(link, /^http:\/\/hub\.test\/enroll#[\w-]{43}$/);
  const claimed = await open(scene, link, 'My phone');
  strictEqual(claimed.status, 202);
  const { claim, number, expiresAt } = claimed.body;
  const seen = { deviceName: 'My phone', userAgent: PHONE, address: '127.0.0.1' };
  const state = await read(scene, enrolmentId);
  const numbers = state.numbers ?? [];
  deepStrictEqual(state, { enrolmentId, kind: 'link', state: 'claimed', ...seen, numbers, expiresAt });
  deepStrictEqual([new Set(numbers).size, numbers.includes(number)], [3, true]);
  deepStrictEqual(scene.announced, [['claimed', scene.owner.deviceId, { enrolmentId, ...seen, numbers, expiresAt }]]);

  const waiting = await scene.call<Claimed>('POST', '/v1/enrolments/redeem', { body: { enrolmentId, claim } });
  deepStrictEqual([waiting.status, waiting.body], [202, claimed.body]);
  strictEqual((await confirm(scene, enrolmentId, number)).status, 204);
  const enrolled = await scene.call<Enrolled>('POST', '/v1/enrolments/redeem', { body: { enrolmentId, claim } });
  strictEqual(enrolled.status, 200);
  const me = await scene.call<Me>('GET', '/v1/people/me', { token: enrolled.body.accessToken });
  deepStrictEqual(
    [me.body.person, me.body.device.id, me.body.device.name, me.body.device.userAgent],
    [enrolled.body.person, enrolled.body.deviceId, 'My phone', PHONE],
  );
  deepStrictEqual(scene.announced.at(-1), [
    'enrolled',
    scene.owner.id,
    { device: { id: enrolled.body.deviceId, name: 'My phone' }, at: me.body.device.createdAt },
  ]);
  const again = await scene.call('POST', '/v1/enrolments/redeem', { body: { enrolmentId, claim } });
  deepStrictEqual([again.status, again.body['code']], [410, 'enrolment.used']);
  strictEqual((await scene.call('DELETE', `/v1/enrolments/${enrolmentId}`, { token })).status, 409);
});

test('a link is opened once', async (context) => {
  const scene = await openScene(context);
  const { link } = await makeLink(scene);
  strictEqual((await open(scene, link)).status, 202);
  deepStrictEqual(codeOf(await open(scene, link)), [410, 'enrolment.used']);
});

test('a wrong number ends the link for both sides', async (context) => {
  const scene = await openScene(context);
  const { link, enrolmentId } = await makeLink(scene);
  const { claim, number } = (await open(scene, link)).body;
  const wrong = (await read(scene, enrolmentId)).numbers?.find((shown) => shown !== number) ?? '';
  deepStrictEqual(codeOf(await confirm(scene, enrolmentId, wrong)), [422, 'enrolment.wrong_number']);
  deepStrictEqual(codeOf(await confirm(scene, enrolmentId, number)), [410, 'enrolment.expired']);
  const claimed = await scene.call('POST', '/v1/enrolments/redeem', { body: { enrolmentId, claim } });
  deepStrictEqual(codeOf(claimed), [410, 'enrolment.refused']);
});

test('a number is picked on the device that made the link, and on no other', async (context) => {
  const scene = await openScene(context);
  const other = await addDevice(scene.database, scene.owner.id, 'Other');
  const { link, enrolmentId } = await makeLink(scene);
  const { number } = (await open(scene, link)).body;
  const token = other.accessToken;
  const url = `/v1/enrolments/${enrolmentId}`;
  const replies = [
    await scene.call('POST', `${url}/confirm`, { token, body: { number } }),
    await scene.call('GET', url, { token }),
    await scene.call('DELETE', url, { token }),
    await scene.call('POST', `${url}/allow`, { token: scene.owner.token }),
  ];
  deepStrictEqual(
    replies.map(codeOf),
    replies.map(() => [404, 'enrolment.unknown']),
  );
  strictEqual((await confirm(scene, enrolmentId, number)).status, 204);
});

test('a link taken back, or five minutes old, opens nothing', async (context) => {
  const scene = await openScene(context);
  const back = await makeLink(scene);
  for (const _ of [1, 2]) {
    const taken = await scene.call('DELETE', `/v1/enrolments/${back.enrolmentId}`, { token: scene.owner.token });
    strictEqual(taken.status, 204);
  }
  deepStrictEqual(codeOf(await open(scene, back.link)), [410, 'enrolment.expired']);

  const old = await makeLink(scene);
  const unconfirmed = await makeLink(scene);
  const { enrolmentId, claim, number } = (await open(scene, unconfirmed.link)).body;
  scene.advance(5 * MINUTE);
  deepStrictEqual(codeOf(await open(scene, old.link)), [410, 'enrolment.expired']);
  deepStrictEqual(codeOf(await confirm(scene, enrolmentId, number)), [410, 'enrolment.expired']);
  const late = await scene.call('POST', '/v1/enrolments/redeem', { body: { enrolmentId, claim } });
  deepStrictEqual(codeOf(late), [410, 'enrolment.expired']);
  strictEqual((await read(scene, enrolmentId)).state, 'expired');
});

test('the first start makes links until somebody is in somewhere; the first one used ends them all, and once', async (context) => {
  const scene = await openScene(context);
  const make = () => firstLink(scene.database, 'http://hub.test');
  strictEqual(await make(), undefined);
  await scene.call('DELETE', `/v1/devices/${scene.owner.deviceId}`, { token: scene.owner.token });
  const [one, two] = [(await make())?.link ?? '', (await make())?.link ?? ''];
  notStrictEqual(one, two);
  scene.advance(23 * HOUR);
  const enrolled = await open(scene, one);
  strictEqual(enrolled.status, 200);
  deepStrictEqual(codeOf(await open(scene, two)), [410, 'enrolment.used']);
  deepStrictEqual(codeOf(await open(scene, one)), [410, 'enrolment.used']);
  strictEqual(await make(), undefined);
  const { deviceId, accessToken } = enrolled.body as unknown as Enrolled;
  await scene.call('DELETE', `/v1/devices/${deviceId}`, { token: accessToken });
  const later = (await make())?.link ?? '';
  deepStrictEqual(codeOf(await open(scene, two)), [410, 'enrolment.used']);
  strictEqual((await open(scene, later)).status, 200);
});

test('while anybody is in, a start makes no link for a first device', async (context) => {
  const scene = await openScene(context);
  const { body } = await scene.call<NewPersonReply>('POST', '/v1/people', {
    token: scene.owner.token,
    body: { handle: 'bob' },
  });
  await addDevice(scene.database, body.person.id, 'Phone');
  await scene.call('DELETE', `/v1/devices/${scene.owner.deviceId}`, { token: scene.owner.token });
  strictEqual(await firstLink(scene.database, 'http://hub.test'), undefined);
});

test('whoever opens the page is told whether the hub waits for its first device', async (context) => {
  const scene = await openScene(context);
  const waiting = async () => (await scene.call<object>('GET', '/v1/enrolments/first')).body;
  deepStrictEqual(await waiting(), { waiting: false });
  await scene.call('DELETE', `/v1/devices/${scene.owner.deviceId}`, { token: scene.owner.token });
  deepStrictEqual(await waiting(), { waiting: true });
  await addDevice(scene.database, scene.owner.id, 'Phone');
  deepStrictEqual(await waiting(), { waiting: false });
  scene.advance(91 * 24 * HOUR);
  deepStrictEqual(await waiting(), { waiting: true });
});

test('a link for a person is good for 24 hours', async (context) => {
  const scene = await openScene(context);
  const { token } = scene.owner;
  const made = await scene.call<{ link: string; expiresAt: string }>('POST', `/v1/people/${scene.owner.id}/link`, {
    token,
  });
  scene.advance(24 * HOUR);
  deepStrictEqual(codeOf(await open(scene, made.body.link)), [410, 'enrolment.expired']);
});

test('what ran out more than an hour ago is swept, and nothing of a secret was ever stored', async (context) => {
  const scene = await openScene(context);
  const { link, enrolmentId } = await makeLink(scene);
  const { claim } = (await open(scene, link)).body;
  const rows = JSON.stringify(await scene.database.read.selectFrom('enrolments').selectAll().execute());
  ok(!rows.includes(claim) && !rows.includes(link.split('#')[1] ?? ''));
  strictEqual(await sweepEnrolments(scene.database), 0);
  scene.advance(65 * MINUTE + 1);
  strictEqual(await sweepEnrolments(scene.database), 2);
  deepStrictEqual(codeOf(await scene.call('GET', `/v1/enrolments/${enrolmentId}`, { token: scene.owner.token })), [
    404,
    'enrolment.unknown',
  ]);
});

test('a new device names exactly one way to come in', async (context) => {
  const scene = await openScene(context);
  const forms = [
    {},
    { secret: 'x', jwt: 'y' },
    { enrolmentId: 'enr_x' },
    { claim: 'x' },
    { enrolmentId: 'x', claim: 'y', code: '1' },
  ];
  for (const body of forms) {
    const refused = await scene.call<{ faults: object[] }>('POST', '/v1/enrolments/redeem', { body });
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

async function makeLink(scene: Scene): Promise<EnrolmentLink> {
  const { status, body } = await scene.call<EnrolmentLink>('POST', '/v1/enrolments', { token: scene.owner.token });
  strictEqual(status, 201);
  return body;
}

function open(scene: Scene, link: string, deviceName?: string) {
  const body = { secret: link.split('#')[1], ...(deviceName === undefined ? {} : { deviceName }) };
  return scene.call<Claimed>('POST', '/v1/enrolments/redeem', { body });
}

function confirm(scene: Scene, enrolmentId: string, number: string) {
  return scene.call('POST', `/v1/enrolments/${enrolmentId}/confirm`, { token: scene.owner.token, body: { number } });
}

async function read(scene: Scene, enrolmentId: string): Promise<EnrolmentState> {
  return (await scene.call<EnrolmentState>('GET', `/v1/enrolments/${enrolmentId}`, { token: scene.owner.token })).body;
}

function codeOf({ status, body }: { status: number; body: object }): [number, unknown] {
  return [status, (body as { code?: unknown }).code];
}
