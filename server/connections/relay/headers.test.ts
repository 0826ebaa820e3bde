import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { serve } from '../../platform/testing/listen.ts';
import { openScene } from '../testing/scene.ts';
import { holdsOurs, toClient, toPlatform } from './headers.ts';

const SPEAKS_FOR_THE_ORIGIN = {
  'Set-Cookie': 'a=1; Path=/',
  'Clear-Site-Data': '"*"',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Service-Worker-Allowed': '/',
  'Alt-Svc': 'h2="away.example:443"',
  NEL: '{"report_to":"x","max_age":9999999}',
  'Report-To': '{"group":"x"}',
  'Reporting-Endpoints': 'x="https://away.example"',
};
const PASSES = {
  'Access-Control-Allow-Origin': 'https://front.example',
  'Access-Control-Allow-Credentials': 'true',
  'Access-Control-Expose-Headers': 'x-request-id',
  'X-Request-ID': 'r1',
  'X-RateLimit-Remaining': '9',
  'OpenAI-Processing-Ms': '80',
  'Retry-After': '2',
  'Content-Security-Policy': "default-src 'none'",
};
const raw = (...some: Record<string, string>[]): string[] => some.flatMap((one) => Object.entries(one).flat());

test('JSON and a stream of events keep every header but those that speak for the hub’s origin', () => {
  for (const type of [
    'application/json',
    'Application/Problem+JSON ; charset=utf-8',
    'text/event-stream',
    'text/event-stream; charset=utf-8',
  ]) {
    const kept = { ...PASSES, 'Content-Type': type };
    deepStrictEqual(toClient(raw(SPEAKS_FOR_THE_ORIGIN, kept)), raw(kept));
  }
});

test('whatever a browser could show as a page is sandboxed', () => {
  const { 'Content-Security-Policy': _own, ...passes } = PASSES;
  const types = [
    [],
    ['text/html'],
    ['image/svg+xml'],
    ['application/jsonp'],
    ['text/event-streams'],
    ['application/json, text/html'],
    ['application/json; a=b, text/html'],
    ['application/json', 'text/html'],
    ['text/html', 'application/json'],
    ['application/json', 'application/json'],
    [''],
  ];
  for (const some of types) {
    const kept = [...raw(passes), ...some.flatMap((type) => ['Content-Type', type])];
    deepStrictEqual(
      toClient([...raw(SPEAKS_FOR_THE_ORIGIN, { 'Content-Security-Policy': 'script-src *' }), ...kept]),
      [...kept, 'content-security-policy', 'sandbox'],
      String(some),
    );
  }
});

test('a client’s headers go on but its cookies, which are those of the hub’s host', () => {
  const given = { Authorization: 'Bearer sk-1', Origin: 'https://front.example', 'OpenAI-Beta': 'x' };
  deepStrictEqual(
    toPlatform(raw({ Host: 'hub.example', Cookie: 'other=service' }, given), 'https://hub.example'),
    raw(given),
  );
});

test('a platform does not learn the hub’s own address, in whatever header a browser or a proxy names it', () => {
  const token = `bki_${'a'.repeat(43)}`;
  const given = { Referer: 'https://front.example/chat', Origin: 'null', 'X-Forwarded-For': '203.0.113.5' };
  const ours = [
    { Origin: 'https://hub.example' },
    { origin: 'http://10.0.0.5:4275' },
    { Referer: 'https://hub.example/inbox' },
    { REFERER: `https://HUB.example:443/v1/in/${token}/models` },
    { Referer: `https://elsewhere.example/v1/in/${token}/` },
    { Referer: `https://elsewhere.example/?from=%2Fv1%2Fin%2F${token}` },
    { Referer: `https://elsewhere.example/?from=%252Fv1%252Fin%252F${token}` },
    { 'X-Original-URL': `/v1/in/${token}/models` },
    { 'X-Forwarded-Uri': `/v1/in/${token}/models` },
  ];
  deepStrictEqual(toPlatform(raw({ Host: '10.0.0.5:4275' }, ...ours, given), 'https://hub.example'), raw(given));
});

test('a credential of the hub is found wherever in a header it stands, and nothing else is taken for one', () => {
  const key = `bkd_${'Zz09-_aB'.repeat(5)}abc`;
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const held = [
    `Token ${key}`,
    `Token token="${key}"`,
    `Token token=${key}, nonce=1`,
    `Basic ${base64(`user:${key}`)}`,
    `Basic ${base64(`${key}:`)}`,
    `Basic ${base64(`ü:${key}`)}`,
    `Basic ${Buffer.from(`user:${key}`).toString('base64url')}`,
    `basic  ${base64(key).replace(/=+$/, '')}`,
    base64(key),
    `https://front.example/?key=${key}`,
    `key%3D${key.replace('_', '%5F')}`,
    `key%253D${key}`,
  ];
  const other = [
    'Bearer sk-bks_in-the-middle-of-another-key',
    `Basic ${base64('user:sk-1234567890123456789012345678')}`,
    `Bearer eyJhbGciOiJFUzI1NiJ9.${base64('{"sub":"abk"}'.repeat(9))}.c2ln`,
    'bks_short',
  ];
  const found = (value: string) => holdsOurs(['X-Header', 'x', 'Authorization', value]);
  deepStrictEqual([held.map(found), other.map(found)], [held.map(() => true), other.map(() => false)]);
});

test('a credential of the hub is refused in OpenAI’s form and does not reach the platform', async (t) => {
  let calls = 0;
  const base = await serve(t, (_request, response) => {
    calls++;
    response.end();
  });
  const { connect } = await openScene(t);
  const { url } = await connect({ name: 'Lumen', kind: 'chatcompletions', baseUrl: base });
  const secret = 'a'.repeat(43);
  const token = url.slice(url.lastIndexOf('/') + 1);
  const sent: Record<string, string>[] = [
    { authorization: `Bearer bks_${secret}` },
    { authorization: `bearer  bkd_${secret}` },
    { Authorization: `bke_${secret}` },
    { authorization: `Bearer ${token}` },
    { 'x-api-key': `bks_${secret}` },
    { authorization: `Token token="bkd_${secret}"` },
    { authorization: `Basic ${Buffer.from(`me:bkd_${secret}`).toString('base64')}` },
  ];
  for (const headers of sent) {
    const reply = await fetch(`${url}/chat/completions`, { method: 'POST', headers, body: '{}' });
    const { error } = (await reply.json()) as { error: { message: string; type: string; code: string } };
    const { message, ...rest } = error as typeof error & object;
    deepStrictEqual(
      [reply.status, rest],
      [400, { type: 'invalid_request_error', param: null, code: 'credential_of_the_hub' }],
    );
    match(message, /send the key of the platform instead\.$/);
  }
  strictEqual(calls, 0);
  const { status } = await fetch(`${url}/models`, { headers: { authorization: 'Bearer sk-bks_in-the-middle' } });
  deepStrictEqual([status, calls], [200, 1]);
  const unknown = await fetch(`${url}x/models`, { headers: { authorization: `Bearer bks_${secret}` } });
  deepStrictEqual([unknown.status, await unknown.text()], [404, '']);
});
