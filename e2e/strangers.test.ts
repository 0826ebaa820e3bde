import { deepStrictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import type { NewConnectionReply } from '#shared/connections/connection.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { LIVE_PROTOCOL, type DeviceToHub } from '#shared/live.ts';
import type { Problem } from '#shared/problem.ts';
import type { NewSourceReply } from '#shared/wire.ts';
import { BODIES } from './fuzz/bodies.ts';
import { readRoutes, type Route } from './fuzz/calls.ts';
import { all, call, must } from './hub/call.ts';
import { type Hub, startHub } from './hub/hub.ts';
import { connectPage, openPage } from './hub/page.ts';
import { addDevices, addPerson, addSource, ownerDevice, type Device } from './hub/people.ts';
import { until } from './hub/until.ts';
import { openSession } from './mcp/wire.ts';
import { MAY, type Access } from './strangers/may.ts';

const accessOf = (name: string) => (Object.keys(MAY) as Access[]).find((access) => MAY[access].includes(name));
const LIVE_EVENTS = [
  'answer',
  'shown',
  'opened',
  'dismissed',
  'draft',
  'extend',
  'notice_read',
] as const satisfies (keyof DeviceToHub)[];

describe('strangers', { timeout: 240_000 }, () => {
  let hub: Hub;
  let routes: Route[];
  let owner: Device;
  let member: Device;
  let source: NewSourceReply;
  let other: NewSourceReply;
  let inquiry: Inquiry;
  let notice: { id: string };
  let delivery: { id: string };
  let enrolment: { enrolmentId: string; link: string };
  let revokedDevice: Device;
  let revokedSource: NewSourceReply;

  before(async () => {
    hub = await startHub({ METRICS_TOKEN: 'a-token-of-the-operator', LOG_LEVEL: 'trace' });
    routes = await readRoutes(hub);
    owner = await ownerDevice(hub);
    member = await addPerson(hub, owner, 'member');
    [source, other] = [await addSource(hub, owner, 'Asker'), await addSource(hub, owner, 'Other')];
    inquiry = await must(hub, 'POST /v1/inquiries', { token: source.key, body: { prompt: 'For the owner alone' } });
    notice = await must(hub, 'POST /v1/notices', { token: source.key, body: { title: 'For the owner alone' } });
    // Its endpoint does not exist, and its source is paused, so nothing is ever sent.
    const told = await addSource(hub, owner, 'Told', { webhookUrl: 'https://beckon.invalid/hook' });
    await must(hub, `PATCH /v1/sources/${told.source.id}`, { token: owner.token, body: { webhooksPaused: true } });
    const ended = await must<Inquiry>(hub, 'POST /v1/inquiries', {
      token: told.key,
      body: { prompt: 'For the owner' },
    });
    await must(hub, `POST /v1/inquiries/${ended.id}/withdraw`, { token: told.key, body: { reason: 'Done.' } });
    [delivery] = (await all<{ id: string }>(hub, '/v1/deliveries', told.key)) as [{ id: string }];
    enrolment = await must(hub, 'POST /v1/enrolments', { token: owner.token, body: {} });
    [revokedDevice] = (await addDevices(hub, owner, 1)) as [Device];
    revokedSource = await addSource(hub, owner, 'Gone');
    await must(hub, `DELETE /v1/devices/${revokedDevice.id}`, { token: owner.token });
    await must(hub, `DELETE /v1/sources/${revokedSource.source.id}`, { token: owner.token });
  });
  after(() => hub?.remove());

  /** The call with an id that exists and belongs to the owner or to the first source. */
  function pathOf({ path }: Route): string {
    const kind = path.split('/')[2] ?? '';
    const ids: Record<string, string> = {
      inquiries: inquiry.id,
      notices: notice.id,
      enrolments: enrolment.enrolmentId,
      devices: owner.id,
      people: owner.personId,
      sources: source.source.id,
      deliveries: delivery.id,
    };
    return path.replace('{id}', ids[kind] ?? 'none');
  }

  async function walk(
    calling: { token?: string; headers?: Record<string, string> },
    chosen: Route[] = routes,
  ): Promise<Record<string, string>> {
    const met: Record<string, string> = {};
    for (const route of chosen) {
      const body = route.takesBody ? (BODIES[route.name]?.[0] ?? {}) : undefined;
      const { status, body: said } = await call<Problem>(hub, `${route.method} ${pathOf(route)}`, { ...calling, body });
      met[route.name] = status < 400 ? 'let in' : `${status} ${said.code ?? (said as { error?: string }).error}`;
    }
    return met;
  }

  const expected = (
    verdict: (access: Access, route: Route) => string | undefined,
    chosen: Route[] = routes,
  ): Record<string, string> =>
    Object.fromEntries(chosen.map((route) => [route.name, verdict(accessOf(route.name) as Access, route) ?? 'let in']));

  test('[SEC1] somebody has decided who may make each call', () => {
    deepStrictEqual(routes.map(({ name }) => name).toSorted(), Object.values(MAY).flat().toSorted());
  });

  test('[SEC1] whoever shows nothing, or nothing known here, comes no further than asking for access', async () => {
    // An access request needs no token; the link that is redeemed, and the code of a key, do not exist.
    const unknownLink = ({ name }: Route) =>
      name.endsWith('/redeem') ? '410 enrolment.expired' : name.endsWith('/token') ? '400 invalid_grant' : undefined;
    deepStrictEqual(
      await walk({}),
      expected((access, route) => (access === 'new device' ? unknownLink(route) : '401 credential.missing')),
    );
    for (const token of [`bkd_${'x'.repeat(43)}`, `bks_${'x'.repeat(43)}`, 'x', revokedSource.key]) {
      deepStrictEqual(
        await walk({ token }),
        expected((access, route) => (access === 'new device' ? unknownLink(route) : '401 credential.unknown')),
      );
    }
  });

  test('[SEC1] a device that was signed out is a stranger at once', async () => {
    const closed = routes.filter(({ name }) => accessOf(name) !== 'new device');
    deepStrictEqual(
      await walk({ token: revokedDevice.token }, closed),
      expected(() => '401 credential.revoked', closed),
    );
  });

  test('[RES5] [SEC1] a source can do nothing that people do, and finds nothing of another source', async () => {
    const foreign = routes.filter(
      ({ name, path }) =>
        !['source', 'either', 'source or owner'].includes(accessOf(name) ?? '') || path.includes('{id}'),
    );
    const unknown = ({ path }: Route) => {
      if (path.startsWith('/v1/asks/')) return '404 ask.unknown';
      return path.includes('/deliveries/{id}') ? '404 delivery.unknown' : '404 inquiry.unknown';
    };
    deepStrictEqual(
      await walk({ token: other.key }, foreign),
      expected(
        (access, route) =>
          access === 'device' || access === 'owner' || access === 'new device'
            ? '403 credential.wrong_kind'
            : unknown(route),
        foreign,
      ),
    );
  });

  test('[SEC1] a device of another person can do nothing that sources or the owner do, and finds nothing that is not its own', async () => {
    const foreign = routes.filter(
      ({ name, path }) =>
        accessOf(name) !== 'new device' &&
        (path.includes('{id}') || !['device', 'either'].includes(accessOf(name) ?? '')),
    );
    const unknown: Record<string, string> = {
      inquiries: 'inquiry',
      notices: 'notice',
      deliveries: 'delivery',
      enrolments: 'enrolment',
      devices: 'device',
      passkeys: 'passkey',
      yolo: 'yolo',
      proposals: 'proposal',
    };
    deepStrictEqual(
      await walk({ token: member.token }, foreign),
      expected((access, { path }) => {
        if (access === 'source') return '403 credential.wrong_kind';
        const owners = access === 'owner' || (access === 'source or owner' && !path.includes('{id}'));
        // What proves it is looked at first.
        if (path === '/v1/passkeys/{id}/remove') return '403 passkey.refused';
        return owners ? '403 person.not_owner' : `404 ${unknown[path.split('/')[2] ?? '']}.unknown`;
      }, foreign),
    );
  });

  test('[SEC1] [RES5] every MCP tool refuses strangers, and whoever it is not for', async () => {
    const tools = {
      source: ['send_inquiry', 'get_answer', 'withdraw_inquiry', 'send_notice'],
      device: ['list_inquiries', 'answer_inquiry'],
    };
    const listed = async (key: string) => {
      const session = await openSession(`${hub.url}/mcp`, key);
      const reply = await session.send(`${hub.url}/mcp`, { id: 1, method: 'tools/list' });
      await reply.done;
      return (reply.messages.at(-1)?.result as { tools?: { name: string }[] } | undefined)?.tools?.map(
        ({ name }) => name,
      );
    };
    deepStrictEqual({ source: await listed(source.key), device: await listed(owner.token) }, tools);
    const met = async (key: string, name: string) => {
      const args = { inquiryId: inquiry.id, prompt: 'Never', title: 'Never', response: 'Never' };
      const body = { id: 1, method: 'tools/call', params: { name, arguments: args } };
      const session = await openSession(`${hub.url}/mcp`, key);
      const { status, messages, done } = await session.send(`${hub.url}/mcp`, body);
      await done;
      return status === 200
        ? messages.at(-1)?.error?.code
        : `${status} ${(messages.at(-1) as unknown as Problem).code}`;
    };
    for (const name of [...tools.source, ...tools.device]) {
      const foreign = tools.source.includes(name) ? owner.token : source.key;
      deepStrictEqual(
        [
          await met('x', name),
          await met(revokedDevice.token, name),
          await met(revokedSource.key, name),
          await met(foreign, name),
        ],
        ['401 credential.unknown', '401 credential.revoked', '401 credential.unknown', -32602],
      );
    }
  });

  test('[SEC1] all of that changed nothing', async () => {
    deepStrictEqual(
      (await must<Inquiry>(hub, `GET /v1/inquiries/${inquiry.id}`, { token: source.key })).resolution,
      undefined,
    );
    const people = await all<{ handle: string }>(hub, '/v1/people', owner.token);
    const { items: devices } = await must<{ items: { id: string }[] }>(hub, 'GET /v1/devices', { token: owner.token });
    deepStrictEqual(
      [people.map(({ handle }) => handle), devices.map(({ id }) => id)],
      [['owner', 'member'], [owner.id]],
    );
  });

  test('[SEC1] pages of elsewhere may not act, and may not read what they are shown', async () => {
    const acting = routes.filter(({ method }) => method !== 'GET');
    for (const origin of ['https://evil.example', 'null', hub.url.replace(/\d+$/, '1')]) {
      deepStrictEqual(
        await walk({ token: owner.token, headers: { origin } }, acting),
        expected(() => '403 origin.refused', acting),
      );
    }
    const { headers } = await fetch(`${hub.url}/v1/inbox`, {
      headers: { authorization: `Bearer ${owner.token}`, origin: 'https://evil.example' },
    });
    deepStrictEqual(headers.get('access-control-allow-origin'), null);
    const own = { token: owner.token, headers: { origin: hub.url } };
    deepStrictEqual((await call(hub, `POST /v1/inquiries/${inquiry.id}/dismiss`, own)).status, 204);
  });

  test('[SEC1] a credential in an address is refused, and stands in no log', async () => {
    const refused = [];
    for (const token of [owner.token, source.key]) {
      for (const path of [
        `/v1/inbox?token=${token}`,
        `/v1/inquiries/${token}`,
        `/?${token}`,
        `/v1/people/me?access_token=${token}`,
      ]) {
        const { status, body } = await call<Problem>(hub, `GET ${path}`, { token: owner.token });
        refused.push([status, body.code]);
      }
    }
    deepStrictEqual(
      refused,
      refused.map(() => [400, 'credential.in_url']),
    );
    const secrets = [
      owner.token,
      member.token,
      source.key,
      other.key,
      source.webhookSecret,
      new URL(enrolment.link).hash.slice(1),
    ];
    deepStrictEqual(
      secrets.filter((secret) => hub.log().includes(secret)),
      [],
    );
  });

  test('[SEC1] [RES5] the token of a connection opens its own address and nothing else', async () => {
    const body = { name: 'Flow', kind: 'inbound', answerUrl: 'https://flow.example/' };
    const made = await must<NewConnectionReply>(hub, 'POST /v1/connections', { token: owner.token, body });
    const token = made.url.slice(made.url.lastIndexOf('/') + 1);
    const closed = routes.filter(({ name }) => accessOf(name) !== 'new device');
    deepStrictEqual(
      await walk({ token }, closed),
      expected(() => '401 credential.unknown', closed),
    );
    const post = async (path: string, key: string) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
      const reply = await fetch(`${hub.url}/v1/in/${path}`, { method: 'POST', headers, body: '{"prompt":"In?"}' });
      return [reply.status, (await reply.text()) === ''];
    };
    const strange = [`${token.slice(0, -1)}~`, source.key, owner.token, 'bki_'];
    const met = [];
    for (const path of strange) for (const key of [owner.token, source.key, token]) met.push(await post(path, key));
    deepStrictEqual(
      met.filter(([status, empty]) => !(status === 404 && empty) && status !== 400),
      [],
    );
    deepStrictEqual(await post(token, 'x'), [201, false]);
    await must(hub, `DELETE /v1/connections/${made.connection.id}`, { token: owner.token });
    deepStrictEqual(await post(token, owner.token), [404, true]);
  });

  test('[SEC1] nothing acts on GET', async () => {
    const acting = routes.filter(({ method }) => method !== 'GET');
    for (const route of acting) {
      for (const token of [owner.token, source.key]) {
        const headers = { 'x-http-method-override': route.method, 'x-method-override': route.method };
        await call(hub, `GET ${pathOf(route)}?_method=${route.method}`, { token, headers });
      }
    }
    deepStrictEqual(
      (await must<Inquiry>(hub, `GET /v1/inquiries/${inquiry.id}`, { token: source.key })).resolution,
      undefined,
    );
    deepStrictEqual((await call(hub, 'GET /v1/people/me', { token: owner.token })).status, 200);
    deepStrictEqual(
      (await call(hub, `GET /v1/enrolments/${enrolment.enrolmentId}`, { token: owner.token })).status,
      200,
    );
  });

  test('[SEC1] the public list is as short as it says, and metrics are for the operator', async () => {
    const client = ['beckon.mjs', 'beckon.d.mts', 'beckon.d.ts', 'beckon.py', 'receipt.mjs', 'receipt.py'].map(
      (name) => `/client/${name}`,
    );
    const open = ['/.well-known/jwks.json', '/healthz', '/readyz', '/docs', '/docs/json', '/docs/problems', ...client];
    deepStrictEqual(
      await Promise.all(open.map(async (path) => (await fetch(hub.url + path)).status)),
      open.map(() => 200),
    );
    const metrics = async (headers: Record<string, string>) => (await fetch(`${hub.url}/metrics`, { headers })).status;
    const elsewhere = { 'x-forwarded-for': '203.0.113.9' };
    deepStrictEqual(
      [
        await metrics({}),
        await metrics(elsewhere),
        await metrics({ ...elsewhere, authorization: `Bearer ${owner.token}` }),
        await metrics({ ...elsewhere, authorization: 'Bearer a-token-of-the-operator' }),
      ],
      [200, 401, 401, 200],
    );
  });

  test('[SEC1] [RES5] the live line is for devices alone', async () => {
    const refusal = async (auth: unknown, extraHeaders: Record<string, string> = {}): Promise<unknown> => {
      const socket = connectPage(hub, auth, { extraHeaders });
      const [error] = (await once(socket as never, 'connect_error')) as [Error & { data?: Problem }];
      socket.disconnect();
      return error.data ? `${error.data.status} ${error.data.code}` : 'cut';
    };
    const token = owner.token;
    deepStrictEqual(
      [
        await refusal({}),
        await refusal({ protocol: LIVE_PROTOCOL }),
        await refusal({ protocol: LIVE_PROTOCOL, token: 7 }),
        await refusal({ protocol: LIVE_PROTOCOL, token: { toString: 1 } }),
        await refusal({ protocol: LIVE_PROTOCOL, token: 'bkd_x' }),
        await refusal({ protocol: LIVE_PROTOCOL, token: source.key }),
        await refusal({ protocol: LIVE_PROTOCOL, token: revokedDevice.token }),
        await refusal({ protocol: LIVE_PROTOCOL + 1, token }),
        await refusal({ protocol: LIVE_PROTOCOL, token }, { origin: 'https://evil.example' }),
      ],
      [
        '400 live.protocol',
        '401 credential.missing',
        '401 credential.missing',
        '401 credential.missing',
        '401 credential.unknown',
        '403 credential.wrong_kind',
        '401 credential.revoked',
        '400 live.protocol',
        'cut',
      ],
    );
  });

  test('[SEC1] no live event of another person reaches an inquiry or a notice that is not theirs', async () => {
    const { reach } = await must<Inquiry>(hub, `GET /v1/inquiries/${inquiry.id}`, { token: source.key });
    const page = await openPage(hub, member);
    const met = [];
    for (const name of LIVE_EVENTS) {
      const body = { inquiryId: inquiry.id, noticeId: notice.id, text: 'mine', answer: { text: 'mine' }, seconds: 60 };
      const { problem } = await page.send(name, body);
      met.push([name, `${problem?.status} ${problem?.code}`]);
    }
    page.close();
    deepStrictEqual(
      met,
      LIVE_EVENTS.map((name) => [name, name === 'notice_read' ? '404 notice.unknown' : '404 inquiry.unknown']),
    );
    const untouched = await must<Inquiry>(hub, `GET /v1/inquiries/${inquiry.id}`, { token: source.key });
    deepStrictEqual(untouched.reach, reach);
  });

  test('[SEC1] a device that is signed out loses its open line at once', async () => {
    const [phone] = (await addDevices(hub, owner, 1)) as [Device];
    const page = await openPage(hub, phone, { reconnection: true });
    await must(hub, `DELETE /v1/devices/${phone.id}`, { token: owner.token });
    await until('the line to be cut', () => page.socket.disconnected);
    deepStrictEqual(page.of('revoked'), [{ deviceId: phone.id }]);
    page.close();
  });
});
