import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Problem } from '#shared/problem.ts';
import { call, isPassing } from './api.ts';

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

test('[RES3] what the hub refuses for good is sent no more, and what may pass is sent again', () => {
  const refusals: [number, string][] = [
    [0, 'network.unreachable'],
    [429, 'request.too_many'],
    [500, 'hub.failed'],
    [503, 'database.busy'],
    [403, 'passkey.refused'],
    [404, 'inquiry.unknown'],
    [422, 'answer.does_not_fit'],
    [500, 'inquiry.damaged'],
  ];
  const passing = refusals.filter(([status, code]) => isPassing({ status, code } as Problem));
  deepStrictEqual(passing, refusals.slice(0, 4));
});
