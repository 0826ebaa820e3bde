import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Check, Contact } from '#shared/connections/contact.ts';
import type { Connection } from '#shared/connections/connection.ts';
import { newId } from '#shared/ids.ts';
import type { Database } from '../platform/database.ts';
import { recordContact } from './contacts.ts';
import { asks, DONE } from './testing/frames.ts';
import { serve } from '../platform/testing/listen.ts';
import { rawPlatform } from './testing/platform.ts';
import { openScene } from './testing/scene.ts';
import { connected } from './testing/streams.ts';

type Scene = Pick<Awaited<ReturnType<typeof openScene>>, 'call'>;
type Listed = { items: Contact[]; nextCursor?: string };

/** The contacts of a connection, once there are so many; their ids, instants and durations left out. */
async function contacts({ call }: Scene, id: string, count: number) {
  for (;;) {
    const { items } = (await call('GET', `/v1/connections/${id}/contacts`)).body as Listed;
    if (items.length < count) continue;
    for (const { id: own, ms, at } of items) {
      match(own, /^ctc_/);
      ok(ms >= 0 && Date.parse(at) > 0);
    }
    return items.map(({ id: _id, ms: _ms, at: _at, ...rest }) => rest);
  }
}

test('a stream and a request leave a contact each, with what was asked and how far its answer came', async (t) => {
  const s = await connected(t, (response) => response.writeHead(409).end());
  const own = await s.place.ask({ prompt: 'Asked here' });
  const stream = await s.stream();
  stream.say(asks('a', 'Book the earlier train?\nIt leaves at six.'), asks(own, 'Asked here'));
  const [one] = await s.until(({ length }) => length > 0);
  await s.answer(one!.id, { response: 'a secret answer' });
  await s.dispatcher.runDue();
  stream.say(DONE);
  stream.end();
  const { id } = s.connection;
  const [contact, ...none] = await contacts(s, id, 1);
  const [{ answer, ...first }, ...others] = contact!.inquiries as [Contact['inquiries'][number]];
  deepStrictEqual(
    [{ ...contact, inquiries: [first, ...others] }, { ...answer, at: undefined }, none],
    [
      {
        what: 'stream',
        status: 200,
        inquiries: [{ id: one!.id, key: 'a', text: 'Book the earlier train?', outcome: 'answered' }, { id: own }],
      },
      { state: 'gone', attemptCount: 1, at: undefined, status: 409 },
      [],
    ],
  );
  const rows = JSON.stringify(await s.database.read.selectFrom('connection_contacts').selectAll().execute());
  deepStrictEqual(
    ['train', 'a secret answer', 'Asked here'].filter((text) => rows.includes(text)),
    [],
  );
  const { items } = (await s.call('GET', '/v1/connections')).body as { items: Connection[] };
  const { items: all } = (await s.call('GET', `/v1/connections/${id}/contacts`)).body as Listed;
  deepStrictEqual([items[0]!.lastContact, items[0]!.lastError], [{ at: all[0]!.at, status: 200 }, undefined]);
});

test('what went wrong stands in its contact: no platform, its own refusal, a stream that it breaks off', async (t) => {
  const scene = await openScene(t, () => () => undefined);
  const dead = await scene.connect({ name: 'Dead', kind: 'chatcompletions', baseUrl: 'http://127.0.0.1:1' });
  await fetch(`${dead.url}/models`);
  const refused = {
    code: 'upstream.refused',
    detail: '127.0.0.1:1 refuses the connection: see that the platform runs there.',
  };
  deepStrictEqual(await contacts(scene, dead.connection.id, 1), [
    { what: 'request', status: 502, problem: refused, inquiries: [] },
  ]);

  const base = await rawPlatform(t, (socket, request) => {
    if (request.startsWith('GET /busy')) return void socket.end('HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n');
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n');
    if (request.startsWith('GET /cut')) setImmediate(() => socket.destroy());
  });
  const { url, connection } = await scene.connect({ name: 'P', kind: 'chatcompletions', baseUrl: base });
  await fetch(`${url}/busy`);
  await fetch(`${url}/cut`).then((reply) => reply.text().catch(() => undefined));
  await contacts(scene, connection.id, 2);
  const leave = new AbortController();
  await fetch(`${url}/left`, { signal: leave.signal });
  leave.abort();
  const { host } = new URL(base);
  deepStrictEqual(await contacts(scene, connection.id, 3), [
    { what: 'stream', status: 200, inquiries: [] },
    {
      what: 'stream',
      status: 200,
      problem: { code: 'upstream.broke_off', detail: `${host} broke off its reply.` },
      inquiries: [],
    },
    {
      what: 'request',
      status: 503,
      problem: { code: 'upstream.status', detail: 'The platform answered with status 503.' },
      inquiries: [],
    },
  ]);
  const { items } = (await scene.call('GET', '/v1/connections')).body as { items: Connection[] };
  deepStrictEqual(
    items.map(({ lastContact, lastError }) => [lastContact?.status, lastError?.problem.code]),
    [
      [502, 'upstream.refused'],
      [200, 'upstream.broke_off'],
    ],
  );
});

test('the newest 200 contacts of a connection are kept, and those of a removed one go with it', async (t) => {
  const scene = await openScene(t);
  const { database, call } = scene;
  const [one, other] = [
    await scene.connect({ name: 'One', kind: 'inbound' }),
    await scene.connect({ name: 'Other', kind: 'inbound' }),
  ];
  const { id } = one.connection;
  await recordContact(database, other.connection.id, { what: 'webhook', ms: 1 });
  for (let at = 0; at < 205; at++) await recordContact(database, id, { what: 'webhook', status: 200, ms: at });
  const found: number[] = [];
  for (let cursor = ''; ;) {
    const page = (await call('GET', `/v1/connections/${id}/contacts?limit=90${cursor}`)).body as Listed;
    found.push(...page.items.map(({ ms }) => ms));
    if (page.nextCursor === undefined) break;
    cursor = `&cursor=${page.nextCursor}`;
  }
  deepStrictEqual(
    found,
    Array.from({ length: 200 }, (_, at) => 204 - at),
  );
  strictEqual(await count(database), 201);
  await call('DELETE', `/v1/connections/${id}`);
  await recordContact(database, id, { what: 'webhook', ms: 1 });
  await recordContact(database, newId('src', 1), { what: 'webhook', ms: 1 });
  strictEqual(await count(database), 1);
  const gone = await call('GET', `/v1/connections/${id}/contacts`);
  deepStrictEqual([gone.status, (gone.body as { code: string }).code], [404, 'connection.unknown']);
});

async function count(database: Database): Promise<number> {
  return (await database.read.selectFrom('connection_contacts').select('id').execute()).length;
}

test('a live check says in one sentence whether the connection can work, and follows nothing', async (t) => {
  const scene = await openScene(t);
  const heard: (string | undefined)[][] = [];
  const base = await serve(t, (request, response) => {
    heard.push([request.method, request.url, request.headers.authorization, String(request.headers['x-team'])]);
    const [, kind] = /^\/(\w+)/.exec(request.url ?? '') ?? [];
    const json = { 'content-type': 'application/json; charset=utf-8' };
    if (kind === 'good') return void response.writeHead(200, json).end('{"data":[]}');
    if (kind === 'page') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>');
    if (kind === 'moved') return void response.writeHead(302, { location: '/good/models' }).end();
    response.writeHead(Number(kind?.slice(1)), json).end('{}');
  });
  const { host } = new URL(base);
  const expected: [string, string, object][] = [
    ['good', 'sk-1', { ok: true, status: 200, code: 'upstream.ok' }],
    ['good', '', { ok: true, status: 200, code: 'upstream.ok_without_key' }],
    ['s401', 'sk-1', { ok: false, status: 401, code: 'upstream.key_refused' }],
    ['s401', '', { ok: true, status: 401, code: 'upstream.ok_without_key' }],
    ['page', 'sk-1', { ok: false, status: 200, code: 'upstream.no_api' }],
    ['s404', 'sk-1', { ok: false, status: 404, code: 'upstream.no_api' }],
    ['s503', 'sk-1', { ok: false, status: 503, code: 'upstream.status' }],
    ['moved', 'sk-1', { ok: false, status: 302, code: 'upstream.redirect' }],
  ];
  for (const [path, apiKey, found] of expected) {
    const own = apiKey ? { apiKey, headers: { 'X-Team': 'ops' } } : {};
    const asked = { name: 'P', kind: 'chatcompletions', baseUrl: `${base}/${path}/`, ...own };
    const { connection } = await scene.connect(asked);
    for (const id of ['', `/${connection.id}`]) {
      const { body } = await scene.call('POST', `/v1/connections${id}/check`, id ? {} : asked);
      const { at, ms, detail, ...rest } = body as Check;
      deepStrictEqual(rest, found);
      ok(detail.startsWith(host) && ms >= 0 && Date.parse(at) > 0);
    }
    const { ok: fine, code } = found as Check;
    const [last, ...none] = await contacts(scene, connection.id, 1);
    deepStrictEqual([last?.what, last?.problem?.code, none], ['check', fine ? undefined : code, []]);
  }
  deepStrictEqual(heard[0], ['GET', '/good/models', 'Bearer sk-1', 'ops']);
  strictEqual(heard.length, 2 * expected.length);
});

test('a live check names what keeps it from the platform', async (t: TestContext) => {
  const scene = await openScene(t);
  const plain = await serve(t, (_request, response) => response.end());
  const { port } = new URL(plain);
  const cases: [string, string][] = [
    ['http://127.0.0.1:1', 'upstream.refused'],
    ['http://nobody.invalid', 'upstream.name_unknown'],
    [`https://127.0.0.1:${port}`, 'upstream.no_tls'],
  ];
  for (const [baseUrl, code] of cases) {
    const { body } = await scene.call('POST', '/v1/connections/check', {
      name: 'P',
      kind: 'langgraph',
      baseUrl,
    });
    const { at: _at, ms: _ms, detail: _detail, ...rest } = body as Check;
    deepStrictEqual(rest, { ok: false, code });
  }
  const inbound = await scene.call('POST', '/v1/connections/check', { name: 'In', kind: 'inbound' });
  deepStrictEqual((inbound.body as Check).code, 'upstream.nothing_to_call');
  const faulty = await scene.call('POST', '/v1/connections/check', { name: 'In', kind: 'chatcompletions' });
  const unknown = await scene.call('POST', `/v1/connections/${newId('src', 1)}/check`, {});
  deepStrictEqual([faulty.status, unknown.status], [422, 404]);
});
