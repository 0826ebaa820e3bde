import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { call } from './api.ts';

test('a reply that is not the hub’s is no success: a network that wants a sign-in, or a proxy without a hub', async (t) => {
  const after = async (body: string | null, status: number) => {
    t.mock.method(globalThis, 'fetch', async () => new Response(body, { status }));
    const { ok, problem } = await call('POST', '/v1/inquiries/inq_a/answer', {});
    return problem?.code ?? ok;
  };
  deepStrictEqual(
    [
      await after('{"won":true}', 200),
      await after('{"won":false}', 202),
      await after('<title>Welcome</title>', 200),
      await after('Sign in', 403),
      await after('', 200),
      await after('Too large', 413),
      await after('Bad gateway', 502),
      await after('{"code":"inquiry.unknown","status":404,"detail":"None."}', 404),
    ],
    [
      { won: true },
      { won: false },
      'network.intercepted',
      'network.intercepted',
      'network.unreachable',
      'hub.unclear',
      'hub.unclear',
      'inquiry.unknown',
    ],
  );
});
