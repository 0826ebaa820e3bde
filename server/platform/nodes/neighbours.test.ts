import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { request as send } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'node:test';
import { createLog } from '../log.ts';
import { databaseFor } from '../testing/database.ts';
import { closedPort, serve } from '../testing/listen.ts';
import { HOP_HEADER, joinNeighbours, passOn } from './neighbours.ts';

const log = createLog('fatal');

async function until(look: () => unknown): Promise<void> {
  while (!(await look())) await pause(5);
}

test('a node is found by its name while it runs, and not by itself', async (t) => {
  const database = await databaseFor(t);
  const first = joinNeighbours({ database, log, url: 'http://10.0.0.1:4275', beatMs: 10 });
  const second = joinNeighbours({ database, log, url: 'http://10.0.0.2:4275', beatMs: 10 });
  const hidden = joinNeighbours({ database, log });
  await until(async () => (await second.find(first.id)) !== undefined);
  deepStrictEqual(
    [await second.find(first.id), await first.find(first.id), await second.find(hidden.id), await second.find('')],
    ['http://10.0.0.1:4275', undefined, undefined, undefined],
  );
  await until(() => second.count() === 2);
  await first.stop();
  strictEqual(await second.find(first.id), undefined);
  await until(() => second.count() === 1);
  strictEqual(hidden.count(), 1);
  const killed = { id: 'dead', url: 'http://10.0.0.3:4275', seen_at: database.clock.now() - 60_000 };
  await database.transaction((trx) => trx.insertInto('nodes').values(killed).execute());
  strictEqual(await second.find('dead'), undefined);
  await second.stop();
});

test('a request goes on with its body and credential, and its reply streams back', async (t) => {
  const told: unknown[] = [];
  const inner = await serve(t, async (request, reply) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { authorization, origin, host, [HOP_HEADER]: hop } = request.headers;
    told.push({ method: request.method, url: request.url, body, authorization, origin, host, hop });
    reply.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': 's', connection: 'close' });
    reply.write('data: 1\n\n');
    reply.once('close', () => told.push('closed'));
  });
  const outer = await serve(t, async (request, reply) => {
    await passOn(request, reply, { body: '{"a":9007199254740993}', url: inner, taken: () => told.push('taken') });
  });
  const gone = new AbortController();
  const headers = { authorization: 'Bearer x', origin: outer, 'content-type': 'application/json' };
  const reply = await fetch(`${outer}/mcp?wait=5`, { method: 'POST', body: '{}', headers, signal: gone.signal });
  const { value } = (await reply.body?.getReader().read()) ?? {};
  deepStrictEqual([reply.headers.get('mcp-session-id'), Buffer.from(value ?? []).toString()], ['s', 'data: 1\n\n']);
  gone.abort();
  await until(() => told.includes('closed'));
  deepStrictEqual(told, [
    {
      method: 'POST',
      url: '/mcp?wait=5',
      body: '{"a":9007199254740993}',
      authorization: 'Bearer x',
      origin: undefined,
      host: new URL(inner).host,
      hop: '1',
    },
    'taken',
    'closed',
  ]);
});

test('a request whose target names another host goes to the node all the same', async (t) => {
  const heard: string[] = [];
  const stranger = await serve(t, async (_request, reply) => {
    heard.push('untrusted');
    reply.end();
  });
  const inner = await serve(t, async (request, reply) => {
    heard.push(`node ${request.url}`);
    reply.end();
  });
  const outer = await serve(t, async (request, reply) => {
    await passOn(request, reply, { body: undefined, url: inner, taken: () => undefined });
  });
  for (const path of [`${stranger}/mcp?q=1`, `//${new URL(stranger).host}/mcp?q=1`]) {
    const asked = send({ port: new URL(outer).port, path }).end();
    const [reply] = (await once(asked, 'response')) as [{ resume(): void }];
    reply.resume();
  }
  deepStrictEqual(heard, ['node /mcp?q=1', 'node /mcp?q=1']);
});

test('a node that does not reply leaves the request to whoever passed it on', async (t) => {
  const url = `http://127.0.0.1:${await closedPort()}`;
  let taken = false;
  const outer = await serve(t, async (request, reply) => {
    const passed = await passOn(request, reply, { body: undefined, url, taken: () => void (taken = true) });
    reply.end(String(passed));
  });
  deepStrictEqual([await (await fetch(outer)).text(), taken], ['false', false]);
});
