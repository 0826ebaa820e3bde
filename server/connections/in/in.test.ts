import { deepStrictEqual, match } from 'node:assert/strict';
import { test } from 'node:test';
import { rawCall } from '../testing/platform.ts';
import { openScene } from '../testing/scene.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

test('[SEC1] the address of a connection that takes nothing there, or of none, meets 404 and nothing else', async (t) => {
  const { connect, call } = await openScene(t);
  const relayed = await connect({ name: 'Lumen', kind: 'chatcompletions', baseUrl: 'https://lumen.example/v1' });
  const [renewed, off, removed] = await Promise.all(
    ['Renewed', 'Off', 'Removed'].map((name) => connect({ name, kind: 'inbound' })),
  );
  const path = (made: typeof removed) => `/v1/connections/${made?.connection.id}`;
  await call('POST', `${path(renewed)}/address`, {});
  await call('PATCH', path(off), { enabled: false });
  await call('DELETE', path(removed));
  const unknown = `${relayed.url.slice(0, -1)}~`;
  for (const url of [relayed, renewed, off, removed].map((made) => made!.url).concat(unknown, `${relayed.url}/../x`)) {
    for (const method of METHODS) {
      const body = method === 'POST' ? JSON.stringify({ prompt: 'Now?' }) : null;
      const reply = await fetch(url, { method, body, headers: { 'content-type': 'application/json' } });
      const { status, headers } = reply;
      const met = [status, headers.get('content-type'), await reply.text()];
      deepStrictEqual([method, url, ...met], [method, url, 404, null, '']);
    }
  }
  deepStrictEqual((await call('GET', '/v1/connections')).status, 200);
});

test('who has no good token is not told how long a body may be, and is not waited for', async (t) => {
  const { connect } = await openScene(t);
  const { url } = await connect({ name: 'Flow', kind: 'inbound' });
  const path = new URL(url).pathname.slice(0, -1);
  const head = `POST ${path}~ HTTP/1.1\r\nHost: hub.example\r\nContent-Length: 999999999\r\n\r\n{`;
  const reply = await rawCall(url, head);
  match(reply, /^HTTP\/1\.1 404 Not Found\r\n/);
  deepStrictEqual(reply.slice(reply.indexOf('\r\n\r\n') + 4), '');
});
