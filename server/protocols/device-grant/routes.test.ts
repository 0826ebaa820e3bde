import { deepStrictEqual, match, notStrictEqual, strictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { AppError } from '#shared/problem.ts';
import type { AccessRequest, EnrolmentState } from '#shared/schemas/enrolments.ts';
import type { Source } from '#shared/wire.ts';
import { addDevice, type Announce } from '../../devices/admit.ts';
import { openScene, recorder } from '../../devices/testing/scene.ts';
import type { Database } from '../../platform/database.ts';
import type { Http } from '../../platform/http/server.ts';
import { createLog } from '../../platform/log.ts';
import { GRANT_TYPE, writeError } from './forms.ts';
import { deviceGrantRoutes } from './routes.ts';

const MINUTE = 60_000;
const BEGIN = '/v1/device-authorizations';
const TOKEN = `${BEGIN}/token`;
const AGENT = { client_id: 'release-bot', client_name: 'Release bot', host_name: 'ci-3' };
const HOST = { origin: 'http://hub.test', 'user-agent': 'release-bot/2' };

type Said = Record<string, unknown> & { error?: string };
type Begun = { device_code: string; user_code: string; interval: number; expires_in: number };

export async function openGrants(t: TestContext, opened?: Database) {
  const heard: Parameters<typeof recorder>[0] = [];
  let app: Http | undefined;
  const scene = await openScene(t, {
    ...(opened ? { opened } : {}),
    routes: (http, database) => {
      app = http;
      const announce: Announce = recorder(heard);
      void deviceGrantRoutes(http, {
        database,
        announce,
        publicUrl: () => 'http://hub.test/',
        log: createLog('silent'),
      });
    },
  });
  const post = async <T = Said>(url: string, body: Record<string, unknown> | string, from = '10.0.0.7') => {
    const reply = await app!.inject({
      method: 'POST',
      url,
      remoteAddress: from,
      headers: {
        'user-agent': 'release-bot/2',
        ...(typeof body === 'string' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      },
      body,
    });
    const { 'cache-control': cache, 'content-type': type } = reply.headers;
    deepStrictEqual([cache, String(type).split(';')[0]], ['no-store', 'application/json']);
    return { status: reply.statusCode, body: reply.json<T>() };
  };
  const begin = async (more: object = {}, from?: string) =>
    (await post<Begun>(BEGIN, { ...AGENT, ...more }, from)).body;
  const poll = async (code: string, more: object = {}) => {
    const form = { grant_type: GRANT_TYPE, device_code: code, client_id: AGENT.client_id, ...more };
    const { status, body } = await post(TOKEN, new URLSearchParams(form).toString());
    return status === 200 ? JSON.stringify(body) : `${status} ${body.error}`;
  };
  const waiting = async (token = scene.owner.token) =>
    (await scene.call<{ items: AccessRequest[] }>('GET', '/v1/enrolments', { token })).body.items;
  const allow = (id: string, userCode: string, token = scene.owner.token) =>
    scene.call('POST', `/v1/enrolments/${id}/allow`, {
      token,
      body: { userCode },
    });
  const sources = async () =>
    (await scene.call<{ items: Source[] }>('GET', '/v1/sources', { token: scene.owner.token })).body.items;
  return { scene, heard, inject: () => app!, post, begin, poll, waiting, allow, sources };
}

test('an agent asks for a key, the owner sees who asks and the code, and the yes gives the key once', async (t) => {
  const { scene, heard, begin, poll, waiting, allow, sources } = await openGrants(t);
  const { device_code: code, user_code: userCode, ...told } = await begin();
  match(userCode, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
  match(code, /^[\w-]{43}$/);
  deepStrictEqual(told, {
    verification_uri: 'http://hub.test/connect',
    verification_uri_complete: `http://hub.test/connect#${userCode}`,
    expires_in: 600,
    interval: 5,
  });
  const [seen, ...others] = (await waiting()) as [AccessRequest];
  const { enrolmentId, expiresAt, source } = seen;
  deepStrictEqual(
    [seen, others],
    [
      {
        enrolmentId,
        expiresAt,
        deviceName: 'Release bot',
        userAgent: 'release-bot/2',
        address: '10.0.0.7',
        source: { host: 'ci-3', userCode, askedAt: source?.askedAt },
      },
      [],
    ],
  );
  strictEqual(Date.parse(expiresAt) - Date.parse(source?.askedAt ?? ''), 10 * MINUTE);
  deepStrictEqual(heard, [['access_request', scene.owner.id, seen]]);
  strictEqual(await poll(code), '400 authorization_pending');

  // As somebody types it.
  deepStrictEqual(await allow(enrolmentId, ` ${userCode.toLowerCase().replace('-', '')} `), {
    status: 200,
    body: { expiresAt },
  });
  deepStrictEqual(scene.announced, [['access_request_withdraw', scene.owner.id, { enrolmentId, allowedOn: 'Laptop' }]]);
  deepStrictEqual([await waiting(), await sources()], [[], []]);
  scene.advance(5_000);
  const got = await poll(code);
  const [made] = await sources();
  const { access_token: key, webhook_secret: secret, ...rest } = JSON.parse(got) as Said;
  deepStrictEqual(rest, { token_type: 'Bearer', source: { id: made?.id, name: 'Release bot' } });
  deepStrictEqual([made?.mayAsk, made?.owner], [['owner'], 'owner']);
  match(`${String(key)} ${String(secret)}`, /^bks_[\w-]{43} whsec_/);
  scene.advance(5_000);
  deepStrictEqual([await poll(code), (await sources()).length], ['400 invalid_grant', 1]);
  const state = await scene.call<EnrolmentState>('GET', `/v1/enrolments/${enrolmentId}`, { token: scene.owner.token });
  deepStrictEqual([state.body.kind, state.body.state, state.body.allowedOn], ['source_request', 'used', 'Laptop']);
  const late = await scene.call('DELETE', `/v1/enrolments/${enrolmentId}`, { token: scene.owner.token });
  deepStrictEqual([late.status, late.body['code']], [409, 'enrolment.used']);
});

test('who polls too soon leaves five seconds more each time from then on', async (t) => {
  const { scene, begin, poll } = await openGrants(t);
  const { device_code: code } = await begin();
  const polls: unknown[] = [];
  for (const seconds of [0, 4, 5, 10, 15, 19.8, 20]) {
    scene.advance(seconds * 1_000);
    polls.push(`${seconds} ${(await poll(code)).slice(4)}`);
  }
  deepStrictEqual(polls, [
    '0 authorization_pending',
    '4 slow_down',
    '5 slow_down',
    '10 slow_down',
    '15 slow_down',
    '19.8 slow_down',
    '20 slow_down',
  ]);
  scene.advance(35_000);
  strictEqual(await poll(code), '400 authorization_pending');
});

test('[RES5] a no, a wrong client, a signed-out device and ten minutes give no key', async (t) => {
  const { scene, begin, poll, waiting, allow, sources } = await openGrants(t);
  const phone = await addDevice(scene.database, scene.owner.id, 'Phone');
  const refused = await begin();
  const id = async () => (await waiting())[0]?.enrolmentId ?? '';
  const no = await scene.call('DELETE', `/v1/enrolments/${await id()}`, { token: phone.accessToken });
  deepStrictEqual([no.status, await waiting()], [204, []]);
  const foreign = await begin();
  const slow = await id();
  await allow(slow, foreign.user_code);
  const lost = await begin();
  const lostId = await id();
  await allow(lostId, lost.user_code, phone.accessToken);
  strictEqual((await scene.call('DELETE', `/v1/devices/${phone.deviceId}`, { token: scene.owner.token })).status, 200);
  const late = await begin();
  const lateId = await id();
  deepStrictEqual(
    [
      await poll(refused.device_code),
      await poll(foreign.device_code, { client_id: 'another' }),
      await poll(lost.device_code),
      await poll('x'.repeat(43)),
    ],
    ['400 access_denied', '400 invalid_grant', '400 access_denied', '400 invalid_grant'],
  );
  scene.advance(10 * MINUTE);
  deepStrictEqual(
    [await poll(late.device_code), await poll(foreign.device_code), (await allow(lateId, late.user_code)).body['code']],
    ['400 expired_token', '400 expired_token', 'enrolment.expired'],
  );
  deepStrictEqual([await waiting(), await sources()], [[], []]);
});

test('[RES5] [SEC1] only the owner, with the code, says yes; five wrong codes end the request', async (t) => {
  const { scene, post, begin, poll, waiting, sources } = await openGrants(t);
  const invited = await scene.call<{ person: { id: string } }>('POST', '/v1/people', {
    token: scene.owner.token,
    body: { handle: 'bob' },
  });
  const bob = await addDevice(scene.database, invited.body.person.id, 'Tablet');
  const asker = await scene.call<{ key: string }>('POST', '/v1/sources', {
    token: scene.owner.token,
    body: { name: 'Asker' },
  });
  const { device_code: code, user_code: userCode } = await begin();
  const [{ enrolmentId: id }] = (await waiting()) as [AccessRequest];
  const by = async (token: string | undefined, typed?: string) => {
    const sent = { ...(token === undefined ? {} : { token }), body: typed === undefined ? {} : { userCode: typed } };
    const { status, body } = await scene.call('POST', `/v1/enrolments/${id}/allow`, sent);
    return `${status} ${String(body['code'])}`;
  };
  deepStrictEqual(
    [
      await by(bob.accessToken, userCode),
      await by(asker.body.key, userCode),
      await by(undefined, userCode),
      await by(code, userCode),
      await by(scene.owner.token),
      await waiting(bob.accessToken),
      (await scene.call('GET', `/v1/enrolments/${id}`, { token: bob.accessToken })).status,
      (await scene.call('DELETE', `/v1/enrolments/${id}`, { token: bob.accessToken })).status,
      (await scene.call('POST', '/v1/enrolments/redeem', { body: { enrolmentId: id, code: userCode } })).status,
      (await scene.call('GET', `${BEGIN}?user_code=${userCode}`)).status,
      (await scene.call('POST', BEGIN, { token: asker.body.key, body: AGENT })).status,
    ],
    [
      '404 enrolment.unknown',
      '403 credential.wrong_kind',
      '401 credential.missing',
      '401 credential.unknown',
      '422 request.invalid',
      [],
      404,
      404,
      410,
      404,
      403,
    ],
  );
  const guessed = [];
  for (let at = 0; at < 5; at++) guessed.push(await by(scene.owner.token, 'BBBB-BBBB'));
  deepStrictEqual(guessed, Array(5).fill('422 enrolment.wrong_code'));
  deepStrictEqual(scene.announced, [['access_request_withdraw', scene.owner.id, { enrolmentId: id }]]);
  deepStrictEqual(
    [await by(scene.owner.token, userCode), await poll(code), await waiting(), (await sources()).length],
    ['410 enrolment.expired', '400 expired_token', [], 1],
  );
  notStrictEqual((await post<Begun>(BEGIN, AGENT)).body.user_code, userCode);
});

test('a flood of one network, or of many, is refused, and what waits stays', async (t) => {
  const { post, begin, poll, waiting } = await openGrants(t);
  const { device_code: code } = await begin({}, '10.9.9.9');
  const flood = async (count: number, from: (at: number) => string) =>
    (await Promise.all(Array.from({ length: count }, (_, at) => post(BEGIN, AGENT, from(at)))))
      .map(({ status, body }) => `${status} ${body.error ?? ''}`)
      .reduce<Record<string, number>>((all, one) => ({ ...all, [one]: (all[one] ?? 0) + 1 }), {});
  deepStrictEqual(await flood(14, (at) => `2001:db8:1:2::${at + 1}`), { '200 ': 10, '429 temporarily_unavailable': 4 });
  deepStrictEqual(await flood(12, (at) => `10.1.0.${at}`), { '200 ': 9, '429 temporarily_unavailable': 3 });
  deepStrictEqual([(await waiting()).length, await poll(code)], [20, '400 authorization_pending']);
});

const REFUSED: [what: string, url: string, body: string | Record<string, unknown>, said: string][] = [
  ['nothing', BEGIN, '', '400 invalid_request'],
  ['an empty member', BEGIN, 'client_id=', '400 invalid_request'],
  ['a member twice', BEGIN, 'client_id=a&client_id=b', '400 invalid_request'],
  ['a control character', BEGIN, { client_id: 'a\u0007' }, '400 invalid_request'],
  ['text turned around', BEGIN, { client_id: 'a', client_name: 'Release\u202Etob' }, '400 invalid_request'],
  ['a host that cannot be seen', BEGIN, { client_id: 'a', host_name: '\u2060' }, '400 invalid_request'],
  ['a name too long', BEGIN, { client_id: 'a'.repeat(81) }, '400 invalid_request'],
  ['no object', BEGIN, ['client_id'] as never, '400 invalid_request'],
  ['another grant', TOKEN, { grant_type: 'password', device_code: 'x', client_id: 'a' }, '400 unsupported_grant_type'],
  ['no device code', TOKEN, { grant_type: GRANT_TYPE, client_id: 'a' }, '400 invalid_request'],
  ['a number', TOKEN, { grant_type: GRANT_TYPE, device_code: 1, client_id: 'a' }, '400 invalid_request'],
  ['a key as its code', TOKEN, { grant_type: GRANT_TYPE, device_code: 'bks_x', client_id: 'a' }, '400 invalid_grant'],
];
for (const [what, url, body, said] of REFUSED)
  test(`${what}: refused as RFC 6749 has it, and nobody is asked`, async (t) => {
    const { heard, post } = await openGrants(t);
    const reply = await post(url, body);
    deepStrictEqual([`${reply.status} ${reply.body.error}`, heard], [said, []]);
    match(String(reply.body['error_description']), /^[\x20\x21\x23-\x5B\x5D-\x7E]+$/);
  });

test('empty members of a form count as absent, unknown ones are ignored, and a refusal holds only what RFC 6749 has', async (t) => {
  const { post, waiting } = await openGrants(t);
  const { status } = await post(BEGIN, 'client_id=release-bot&client_name=&host_name=&audience=x');
  const [request] = await waiting();
  deepStrictEqual([status, request?.deviceName, request?.source?.host], [200, 'release-bot', undefined]);
  deepStrictEqual(writeError(new AppError(403, 'origin.refused', 'Not “é\\”…')), {
    status: 403,
    body: { error: 'invalid_request', error_description: "Not '??'...", code: 'origin.refused' },
  });
});

test('no page of another site begins it, and none is begun by GET', async (t) => {
  const { heard, inject } = await openGrants(t);
  const send = async (method: 'GET' | 'POST', origin: string) => {
    const headers = { ...HOST, origin, 'content-type': 'application/x-www-form-urlencoded' };
    const url = method === 'GET' ? `${BEGIN}?client_id=a` : BEGIN;
    const { statusCode } = await inject().inject({
      method,
      url,
      headers,
      ...(method === 'POST' ? { body: 'client_id=a' } : {}),
    });
    return statusCode;
  };
  deepStrictEqual(
    [await send('POST', 'https://evil.example'), await send('GET', 'https://evil.example'), heard],
    [403, 404, []],
  );
});

test('a source whose name is taken gets a number, on the card and in the list', async (t) => {
  const { scene, begin, poll, waiting, allow, sources } = await openGrants(t);
  const names: unknown[] = [];
  for (let at = 0; at < 3; at++) {
    const { device_code: code, user_code: userCode } = await begin();
    const [{ enrolmentId, deviceName }] = (await waiting()) as [AccessRequest];
    await allow(enrolmentId, userCode);
    names.push(deviceName, (JSON.parse(await poll(code)) as { source: { name: string } }).source.name);
  }
  const made = ['Release bot', 'Release bot (2)', 'Release bot (3)'];
  deepStrictEqual([names, (await sources()).map(({ name }) => name)], [made.flatMap((name) => [name, name]), made]);
  strictEqual(scene.announced.length, 3);
});
