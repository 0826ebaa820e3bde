import { deepStrictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
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

test('[LIV3] what one key reads in large pages at once lets others in between', async (t) => {
  const scene = await openScene('SQLite');
  t.after(() => scene.remove());
  const { hub, owner } = scene;
  const flood = await addSource(hub, owner, 'Flood');
  const args = Object.fromEntries(Array.from({ length: 12_000 }, (_, at) => [`k${at}`, at]));
  for (let at = 0; at < 4; at++) await scene.ask({ actions: [{ name: `t${at}`, args, allowed: ['approve'] }] }, flood);
  const ended: string[] = [];
  const agent = new Agent({ keepAlive: true });
  t.after(() => agent.destroy());
  const read = async (path: string, { key }: NewSourceReply, who: string): Promise<number | undefined> => {
    const one = request(hub.url + path, { agent, headers: { authorization: `Bearer ${key}` } }).end();
    const got = await reply(one);
    await once(got.resume(), 'end');
    ended.push(who);
    return got.statusCode;
  };
  const pages = Array.from({ length: 8 }, () => read('/v1/inquiries?limit=100', flood, 'flood'));
  await Promise.race(pages);
  const other = await read('/v1/inquiries?limit=1', scene.source, 'neighbour');
  deepStrictEqual([other, await Promise.all(pages)], [200, pages.map(() => 200)]);
  deepStrictEqual(ended.indexOf('neighbour') < pages.length - 1, true, ended.join());
});

test('[LIV3] small calls about one large inquiry let others in between', async (t) => {
  const scene = await openScene('SQLite');
  t.after(() => scene.remove());
  const { hub, owner } = scene;
  const flood = await addSource(hub, owner, 'Flood');
  const args = Object.fromEntries(Array.from({ length: 12_000 }, (_, at) => [`k${at}`, at]));
  const actions = [{ name: 'write', args, allowed: ['approve', 'reject'] }];
  const large = await scene.ask({ actions, deadline: 3600, latest: 7200 }, flood);
  const ended: string[] = [];
  const about = async (path: string, body: object): Promise<number> => {
    const { status } = await call(hub, `POST /v1/inquiries/${large.id}/${path}`, { token: owner.token, body });
    ended.push('flood');
    return status;
  };
  const decisions = [{ type: 'approve' }];
  const calls = Array.from({ length: 4 }, (_, at) => [
    about('extend', { seconds: 60 + at }),
    about('answer', { decisions, digest: 'another' }),
  ]).flat();
  await Promise.race(calls);
  const asked = await scene.ask({ prompt: 'Is anybody there?' });
  ended.push('neighbour');
  deepStrictEqual([asked.state, await Promise.all(calls)], ['open', calls.map((_, at) => (at % 2 === 0 ? 200 : 422))]);
  deepStrictEqual(ended.indexOf('neighbour') < calls.length - 1, true, ended.join());
});
