import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Connection } from '#shared/connections/connection.ts';
import { listSources } from '../sources/store.ts';
import { unsealed, ownHeaders } from './config.ts';
import { findConnection } from './store.ts';
import { openScene } from './testing/scene.ts';

const LUMEN = { name: 'Lumen', kind: 'chatcompletions', baseUrl: 'https://lumen.example/v1/' };
const tokenOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

test('a connection is made with an address and a webhook secret that are shown this once', async (t) => {
  const { connect, call, database } = await openScene(t);
  const { connection, url, webhookSecret } = await connect({
    ...LUMEN,
    answerUrl: 'https://lumen.example/answer',
    apiKey: 'sk-1',
    headers: { 'x-team': 'ops' },
    platformLimit: 60,
    locale: 'zh',
  });
  match(url, /^http:\/\/127\.0\.0\.1:\d+\/v1\/in\/bki_[\w-]{43}$/);
  match(webhookSecret, /^whsec_/);
  const expected = {
    id: connection.id,
    name: 'Lumen',
    kind: 'chatcompletions',
    baseUrl: 'https://lumen.example/v1',
    answerUrl: 'https://lumen.example/answer',
    answer: { inquiryId: '{inquiryId}', response: '{response}' },
    to: ['owner'],
    deadline: 300,
    platformLimit: 60,
    hasApiKey: true,
    headerNames: ['x-team'],
    hasInboundSecret: false,
    enabled: true,
    locale: 'zh',
    createdAt: connection.createdAt,
    changedAt: connection.createdAt,
  };
  deepStrictEqual(connection, expected);
  deepStrictEqual(await call('GET', '/v1/connections'), { status: 200, body: { items: [expected] } });
  const sources = await listSources(database.read, '', 100);
  deepStrictEqual(
    sources.items.map(({ name }) => name),
    ['Release train'],
  );
  const rows = JSON.stringify([
    await database.read.selectFrom('connections').selectAll().execute(),
    await database.read.selectFrom('sources').selectAll().execute(),
  ]);
  deepStrictEqual(
    [tokenOf(url), 'sk-1', 'ops'].filter((secret) => rows.includes(secret)),
    [],
  );
});

test('a token finds its connection until it is renewed, turned off or removed', async (t) => {
  const { connect, call, database, revoked } = await openScene(t);
  const { connection, url } = await connect(LUMEN);
  const found = async (address: string) => (await findConnection(database, tokenOf(address)))?.sourceId;
  strictEqual(await found(url), connection.id);
  strictEqual(await found(`${url}x`), undefined);

  const renewed = await call('POST', `/v1/connections/${connection.id}/address`, {});
  const next = (renewed.body as { url: string }).url;
  deepStrictEqual([renewed.status, await found(url), await found(next)], [200, undefined, connection.id]);

  const path = `/v1/connections/${connection.id}`;
  strictEqual((await call('PATCH', path, { enabled: false })).status, 200);
  strictEqual(await found(next), undefined);
  await call('PATCH', path, { enabled: true });
  strictEqual(await found(next), connection.id);

  const failing = { queue: `${connection.id} https://lumen.example`, source_id: connection.id, since: 1 };
  await database.transaction((trx) => trx.insertInto('failing_endpoints').values(failing).execute());
  strictEqual((await call('DELETE', path)).status, 204);
  const { worked_at: endedAt } = await database.read
    .selectFrom('failing_endpoints')
    .select('worked_at')
    .executeTakeFirstOrThrow();
  strictEqual(typeof endedAt, 'number');
  deepStrictEqual([await found(next), revoked], [undefined, [connection.id]]);
  deepStrictEqual((await call('GET', '/v1/connections')).body, { items: [] });
  const again = [await call('DELETE', path), await call('PATCH', path, {}), await call('POST', `${path}/address`, {})];
  deepStrictEqual(
    again.map(({ status, body }) => [status, (body as { code: string }).code]),
    again.map(() => [404, 'connection.unknown']),
  );
});

test('what is wrong with a connection is named at its place, and nothing is stored', async (t) => {
  const { call } = await openScene(t);
  const cases: [object, string[]][] = [
    [{ name: 'A', kind: 'chatcompletions' }, ['/baseUrl']],
    [{ name: 'A', kind: 'inbound', baseUrl: 'https://a.example' }, ['/baseUrl']],
    [{ name: 'A', kind: 'langgraph', baseUrl: 'https://a.example', answerUrl: 'https://a.example' }, ['/answerUrl']],
    [{ ...LUMEN, baseUrl: 'https://u:p@lumen.example/v1' }, ['/baseUrl']],
    [{ ...LUMEN, baseUrl: 'file:///etc/passwd' }, ['/baseUrl']],
    [{ ...LUMEN, baseUrl: 'https://lumen.example/v1?key=1' }, ['/baseUrl']],
    [{ ...LUMEN, answerUrl: 'ftp://lumen.example' }, ['/answerUrl']],
    [{ ...LUMEN, headers: { Host: 'x', 'webhook-id': 'x', 'x-ok': 'y' } }, ['/headers/Host', '/headers/webhook-id']],
    [{ ...LUMEN, apiKey: 'two words', to: [], deadline: 1 }, ['/to', '/deadline', '/apiKey']],
    [{ ...LUMEN, to: ['nobody'] }, ['/to/0']],
    [{ ...LUMEN, inboundSecret: `whsec_${'A'.repeat(32)}` }, ['/inboundSecret']],
    [{ name: 'A', kind: 'inbound', inboundSecret: 'whsec_short' }, ['/inboundSecret']],
    [{ ...LUMEN, interruptAnswer: 'text' }, ['/interruptAnswer']],
    [{ name: 'A', kind: 'langgraph', baseUrl: 'https://a.example', interruptAnswer: 'yes' }, ['/interruptAnswer']],
    [{ ...LUMEN, apiKey: 'k', headers: { Authorization: 'Basic eA==' } }, ['/headers/Authorization']],
    [{ ...LUMEN, kind: 'other' }, ['/kind']],
    [{ ...LUMEN, token: 'mine' }, ['/token']],
  ];
  for (const [body, paths] of cases) {
    const { status, body: problem } = await call('POST', '/v1/connections', body);
    const { faults } = problem as { faults: { path: string }[] };
    deepStrictEqual([status, faults.map(({ path }) => path)], [422, paths]);
  }
  deepStrictEqual((await call('GET', '/v1/connections')).body, { items: [] });
});

test('stored credentials go to no host that they were not given for', async (t) => {
  const { connect, call, database, place } = await openScene(t);
  const { connection } = await connect({ ...LUMEN, apiKey: 'sk-1', headers: { 'x-team': 'ops' } });
  const path = `/v1/connections/${connection.id}`;
  const moved = await call('PATCH', path, { answerUrl: 'https://elsewhere.example/answer', apiKey: 'sk-2' });
  const { code, faults } = moved.body as { code: string; faults: { path: string }[] };
  const why = {
    code: 'connection.credentials_of_another_host',
    message: 'was not given for the new host: give it again, or remove what is stored',
  };
  deepStrictEqual([moved.status, code, faults], [422, why.code, [{ path: '/headers', ...why }]]);
  deepStrictEqual((await call('GET', '/v1/connections')).body, { items: [connection] });

  const changed = await call('PATCH', path, {
    name: 'Lumen 2',
    answerUrl: 'https://lumen.example/answer',
    deadline: 55,
    answer: { id: '{inquiryId}' },
  });
  const { changedAt } = changed.body as Connection;
  deepStrictEqual(changed.body, {
    ...connection,
    name: 'Lumen 2',
    answerUrl: 'https://lumen.example/answer',
    deadline: 55,
    answer: { id: '{inquiryId}' },
    changedAt,
  });
  const stored = async () => {
    const row = await database.read.selectFrom('connections').select('sealed').executeTakeFirstOrThrow();
    return unsealed(place.inquiries.sealingKey, row.sealed);
  };
  const own = { authorization: 'Bearer sk-1', 'x-team': 'ops' };
  deepStrictEqual(ownHeaders(await stored(), 'https://lumen.example/answer'), own);
  deepStrictEqual(ownHeaders(await stored(), 'https://elsewhere.example/answer'), {});

  const emptied = await call('PATCH', path, { apiKey: null, headers: {}, answerUrl: null, answer: null });
  const { answer, hasApiKey, headerNames, answerUrl } = emptied.body as Connection;
  deepStrictEqual(
    { answer, hasApiKey, headerNames, answerUrl },
    { answer: connection.answer, hasApiKey: false, headerNames: [], answerUrl: undefined },
  );
  ok(!JSON.stringify(await stored()).includes('sk-1'));
});
