import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { spoil } from '../fuzz/nasty.ts';
import { all, must } from '../hub/call.ts';
import { casesOf, chanceOf } from '../hub/chance.ts';
import { steppedClock } from '../hub/clock.ts';
import { startHub, type Hub } from '../hub/hub.ts';
import { packagesOf } from '../hub/packages.ts';
import { addSource, ownerDevice, type Device } from '../hub/people.ts';
import { Program } from '../hub/process.ts';
import { freePort } from '../hub/servers.ts';
import { until } from '../hub/until.ts';

const CLIENT = join(import.meta.dirname, 'events-client');
const MODERN = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe('events over MCP', { timeout: 120_000 }, () => {
  let hub: Hub;
  let owner: Device;
  let port: number;
  const clock = steppedClock();
  const folder = mkdtempSync(join(tmpdir(), 'beckon-events-'));

  before(async () => {
    port = await freePort();
    hub = await startHub({ ...clock.settings, EVENT_HOSTS: `http://127.0.0.1:${port}` });
    owner = await ownerDevice(hub);
  });
  after(async () => {
    await hub?.remove();
    rmSync(folder, { recursive: true });
    clock[Symbol.dispose]();
  });
  const asked = async (prompt: string): Promise<Inquiry> => {
    const found = (await all<Inquiry>(hub, '/v1/inbox', owner.token)).find((one) => one.prompt === prompt);
    ok(found);
    return found;
  };
  const answer = ({ id, digest }: Inquiry, text: string) =>
    must(hub, `POST /v1/inquiries/${id}/answer`, { token: owner.token, body: { digest, text } });

  test('[DLV6] [crash] an agent on the AI SDK asks without waiting and is woken by the answer, over a kill -9 of the hub', async (t) => {
    symlinkSync(join(await packagesOf(CLIENT), 'node_modules'), join(folder, 'node_modules'));
    cpSync(join(CLIENT, 'agent.mjs'), join(folder, 'agent.mjs'));
    const { key, source } = await addSource(hub, owner, 'AI SDK');
    const line = [process.execPath, join(folder, 'agent.mjs'), `${hub.url}/mcp?wait=0.1`, String(port), 'Ship it?'];
    const agent = new Program(line, { ...process.env, BECKON_KEY: key });
    t.after(() => agent.end('SIGKILL'));
    const heard = async (what: string) => {
      await until(what, () => !agent.running || agent.out.includes(`\n${what} `));
      ok(agent.running, agent.err);
    };
    await heard('asked');
    await hub.kill();
    await hub.start();
    const inquiry = await asked('Ship it?');
    await answer(inquiry, 'Yes, today.');
    await heard('renewed');
    await must(hub, `DELETE /v1/sources/${source.id}`, { token: owner.token });
    await heard('terminated');
    deepStrictEqual(agent.out.trim().split('\n'), [
      'events ["inquiry.resolved","inquiry.late_answer","inquiry.unreachable"]',
      'asked ["pending",true]',
      `woken {"inquiryId":"${inquiry.id}","state":"answered"}`,
      'answer ["answered","Yes, today."]',
      'renewed [true,{"active":true,"lastDeliveryAt":null,"lastError":null}]',
      'terminated {"code":-32024,"message":"Forbidden","data":{"reason":"Access revoked"}}',
    ]);
  });

  test('[DLV6] whatever a call about events holds, it is refused or answered, and shows nothing of another source', async () => {
    const [mine, other] = [await addSource(hub, owner, 'Mine'), await addSource(hub, owner, 'Other')];
    const ask = (key: string) =>
      must<Inquiry>(hub, 'POST /v1/inquiries', { token: key, body: { prompt: `Whose? ${key.slice(-4)}` } });
    const [own, foreign] = [await ask(mine.key), await ask(other.key)];
    for (const { prompt } of [own, foreign]) await answer(await asked(prompt!), 'nobody else’s');
    // Who polls sees what ended some seconds ago.
    clock.sleep(10_000);
    const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    // Nobody listens there, so nothing is written down but where a spoiled address is another one that agrees.
    const delivery = { mode: 'webhook', url: `http://127.0.0.1:${port}/events`, secret };
    const named = { name: 'inquiry.resolved', arguments: { inquiryId: foreign.id } };
    const cursor = Buffer.from(`${Date.now() - 60_000} `).toString('base64url');
    const bodies: [string, object][] = [
      ['events/list', { cursor: null }],
      ['events/subscribe', { ...named, delivery, cursor, ttlMs: 60_000, maxAgeMs: 1_000 }],
      ['events/unsubscribe', { ...named, delivery }],
      ['events/poll', { ...named, cursor, maxEvents: 5, maxAgeMs: 60_000 }],
      ['events/poll', { ...named, arguments: {}, cursor, maxEvents: 5 }],
    ];
    const shown = new Set<string>();
    const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
    for (const from of [1, seed]) {
      const chance = chanceOf(from);
      for (let at = casesOf(150, 5_000); at > 0; at--) {
        const [method, params] = chance.of(bodies);
        const spoiled = spoil(params, chance);
        const meta = `{"_meta":${JSON.stringify(META)}`;
        const whole = spoiled.startsWith('{') ? meta + (spoiled === '{}' ? '}' : `,${spoiled.slice(1)}`) : spoiled;
        const reply = await fetch(`${hub.url}/mcp`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${mine.key}`,
            accept: 'application/json, text/event-stream',
            'content-type': 'application/json',
            'mcp-protocol-version': MODERN,
            'mcp-method': method,
          },
          body: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${whole}}`,
        });
        const text = await reply.text();
        const about = `seed ${from}: ${method} ${spoiled.slice(0, 500)} → ${reply.status} ${text.slice(0, 500)}`;
        ok(reply.status < 500 && !/"code":-32603|"code":-3200\d/.test(text), about);
        for (const one of ['"events":[{"eventId"', own.id, '"code":-32602', '"code":-32011'])
          if (text.includes(one)) shown.add(one);
        ok(![foreign.id, other.source.id].some((id) => text.includes(id)), about);
      }
    }
    strictEqual(shown.size, 4);
  });
});
