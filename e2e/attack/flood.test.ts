import { deepStrictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { test } from 'node:test';
import type { NewSourceReply } from '#shared/wire.ts';
import { call, must } from '../hub/call.ts';
import { addSource } from '../hub/people.ts';
import { until } from '../hub/until.ts';
import { openScene } from './scene.ts';

const BODY = 262_144;
/** What fits of them into what one credential may have under way. */
const FIT = 128;
const DOORS = ['/v1/inquiries', '/mcp', '/mcp/gate/notes', '/v1/ask/claude?wait=0', '/v1/inquiries/inq_1/withdraw'];

/** A body whose headers are sent and nothing else. */
function announce(url: string, { key }: NewSourceReply, length: number): ClientRequest {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': length,
  };
  const one = request(url, { method: 'POST', agent: false, headers }).on('error', () => {});
  one.flushHeaders();
  return one;
}

const reply = async (one: ClientRequest): Promise<IncomingMessage> =>
  ((await once(one, 'response')) as [IncomingMessage])[0];

test('[LIV3] what one key sends beyond its limit is refused by its headers at every door, and others go on', async (t) => {
  const scene = await openScene('SQLite');
  t.after(() => scene.remove());
  const { hub, owner } = scene;
  const flood = await addSource(hub, owner, 'Flood');
  const gate = { upstream: { url: `${hub.url}/nothing` }, otherwise: 'ask' };
  await must(hub, 'PUT /v1/gates/notes', { token: owner.token, body: gate });
  const sent = Array.from({ length: FIT + 1 }, (_, at) => announce(hub.url + DOORS[at % DOORS.length], flood, BODY));
  t.after(() => sent.forEach((one) => one.destroy()));
  const first = await Promise.race(sent.map(reply));
  deepStrictEqual([first.statusCode, first.headers['retry-after']], [429, '1']);

  const refused = await Promise.all(DOORS.map((door) => reply(announce(hub.url + door, flood, BODY))));
  deepStrictEqual(
    refused.map(({ statusCode, headers }) => [statusCode, headers['retry-after']]),
    DOORS.map(() => [429, '1']),
  );
  const inquiry = await scene.ask({ prompt: 'Is anybody there?' });
  deepStrictEqual([(await scene.answer(inquiry)).body.won, await scene.inbox()], [true, []]);

  for (const one of sent) one.destroy();
  const ask = { token: flood.key, body: { prompt: 'And now?' } };
  await until('its next call to be taken', async () => (await call(hub, 'POST /v1/inquiries', ask)).status === 201);
});
