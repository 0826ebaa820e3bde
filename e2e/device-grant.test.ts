import { deepStrictEqual, match, rejects, strictEqual } from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import * as oauth from 'openid-client';
import type { Inquiry } from '#shared/inquiry.ts';
import type { AccessRequest } from '#shared/schemas/enrolments.ts';
import type { Source } from '#shared/wire.ts';
import { BUNDLE } from './bundle.ts';
import { call, must } from './hub/call.ts';
import { environment, type Hub } from './hub/hub.ts';
import { startNodes, type Nodes } from './hub/nodes.ts';
import { openPage, type Page } from './hub/page.ts';
import { addDevices, addPerson, ownerDevice, type Device } from './hub/people.ts';
import { Program } from './hub/process.ts';
import { until } from './hub/until.ts';

describe('a key by a person’s yes, on two nodes', { timeout: 180_000 }, () => {
  let nodes: Nodes;
  let hub: Hub;
  let other: Hub;
  let owner: Device;
  let phone: Device;
  let member: Device;
  let pages: Page[] = [];
  let home: string;
  before(async () => {
    nodes = await startNodes('Postgres', 2);
    [hub, other] = nodes.nodes as [Hub, Hub];
    owner = await ownerDevice(hub);
    [phone] = (await addDevices(hub, owner, 1)) as [Device];
    member = await addPerson(hub, owner, 'member');
    pages = await Promise.all([
      openPage(hub, owner, { reconnection: true }),
      openPage(other, phone),
      openPage(other, member),
    ]);
    home = mkdtempSync(join(tmpdir(), 'beckon-grant-'));
  });
  after(async () => {
    for (const page of pages) page.close();
    await nodes?.remove();
    rmSync(home, { recursive: true });
  });

  const sources = async () => (await must<{ items: Source[] }>(hub, 'GET /v1/sources', { token: owner.token })).items;
  const seenBy = (page: Page, name: string) =>
    until(`${page.device.name} to be asked about ${name}`, () =>
      page.of('access_request').find(({ deviceName }) => deviceName === name),
    );
  const allow = (at: Hub, { token }: Device, { enrolmentId, source }: AccessRequest) =>
    call<{ allowedOn?: string }>(at, `POST /v1/enrolments/${enrolmentId}/allow`, {
      token,
      body: { userCode: source?.userCode },
    });

  test('[RES5] openid-client gets its key once somebody said yes and none after a no; the first press wins on two nodes, over kill -9 of the node that it asked', async () => {
    const client = configure(hub);
    const begun = await oauth.initiateDeviceAuthorization(client, { host_name: 'ci-3' });
    const { device_code: code, user_code: userCode, verification_uri_complete: complete } = begun;
    strictEqual(new URL(complete ?? '').hash, `#${userCode}`);
    const [request] = await Promise.all([seenBy(pages[0]!, 'release-bot'), seenBy(pages[1]!, 'release-bot')]);
    deepStrictEqual([request.source?.host, request.source?.userCode], ['ci-3', userCode]);
    const unwanted = await oauth.initiateDeviceAuthorization(configure(other, 'other-bot'), {});
    const { enrolmentId } = await seenBy(pages[1]!, 'other-bot');
    await hub.kill();
    await must(other, `DELETE /v1/enrolments/${enrolmentId}`, { token: phone.token });
    const yes = await Promise.all([allow(other, owner, request), allow(other, phone, request)]);
    await hub.start();
    deepStrictEqual(new Set(yes.map(({ status }) => status)), new Set([200, 409]));
    const winner = yes[0]?.status === 200 ? owner.name : phone.name;
    deepStrictEqual(yes.find(({ status }) => status === 409)?.body.allowedOn, winner);
    await until('the other device to be told', () =>
      pages[1]!.of('access_request_withdraw').some(({ allowedOn }) => allowedOn === winner),
    );
    const [got] = await Promise.all([
      oauth.pollDeviceAuthorizationGrant(client, begun),
      rejects(oauth.pollDeviceAuthorizationGrant(configure(other, 'other-bot'), unwanted), { error: 'access_denied' }),
    ]);
    const asked = await must<Inquiry>(other, 'POST /v1/inquiries', {
      token: got.access_token,
      body: { prompt: 'Can you read this?' },
    });
    deepStrictEqual([asked.source.name, asked.to], ['release-bot', [owner.handle]]);
    await rejects(
      oauth.genericGrantRequest(client, 'urn:ietf:params:oauth:grant-type:device_code', { device_code: code }),
      { error: 'invalid_grant' },
    );
    deepStrictEqual(
      [(await sources()).filter(({ name }) => name.endsWith('-bot')).length, pages[2]!.of('access_request')],
      [1, []],
    );
  });

  test('beckon connect --hub, on a machine with nothing else, shows the code, waits over kill -9 and writes the settings', async () => {
    writeFileSync(join(home, '.claude.json'), '{}');
    const connecting = new Program(
      [process.execPath, BUNDLE.command, 'connect', '--hub', hub.url, '--yes', '--no-test'],
      environment({ HOME: home, DATA_DIR: join(home, 'none'), BECKON_URL: '', BECKON_KEY: '' }),
    );
    const name = `Claude Code, ${hostname()}`.slice(0, 80);
    const request = await seenBy(pages[1]!, name);
    await until('the code to be shown', () => connecting.err.includes(`\n  ${request.source?.userCode}\n`));
    deepStrictEqual([request.source?.host, existsSync(join(home, '.claude'))], [hostname().slice(0, 80), false]);
    await hub.kill();
    strictEqual((await allow(other, phone, request)).status, 200);
    await hub.start();
    const { code, out, err } = await connecting.ended;
    strictEqual(code, 0, err);
    match(out, /\nClaude Code is connected\. /);
    const key = /bks_[\w-]+/.exec(readFileSync(join(home, '.claude/settings.json'), 'utf8'))?.[0];
    const asked = await must<Inquiry>(hub, 'POST /v1/inquiries', { token: key, body: { prompt: 'Here?' } });
    deepStrictEqual([asked.source.name, `${out}${err}`.includes(String(key))], [name, false]);
  });

  function configure({ url }: Hub, client_id = 'release-bot'): oauth.Configuration {
    const client = new oauth.Configuration(
      {
        issuer: url,
        device_authorization_endpoint: `${url}/v1/device-authorizations`,
        token_endpoint: `${url}/v1/device-authorizations/token`,
      },
      client_id,
      undefined,
      oauth.None(),
    );
    oauth.allowInsecureRequests(client);
    return client;
  }
});
