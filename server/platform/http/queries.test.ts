import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { Problem } from '#shared/problem.ts';
import { createLog } from '../log.ts';
import { createHttp } from './http.ts';
import { Waiting } from './params.ts';

async function openApp() {
  const app = await createHttp({
    log: createLog('silent'),
    findCaller: async () => 'unknown',
    origins: () => [],
    trustProxy: 0,
    rateLimit: 1000,
  });
  const config = { access: 'public' } as const;
  app.get(
    '/v1/things',
    { config, schema: { querystring: Waiting.extend({ limit: z.string().optional() }) } },
    async () => ({}),
  );
  app.get('/v1/plain', { config }, async () => ({}));
  app.get('/v1/in/:token', { config: { access: 'connection' } }, async () => ({}));
  return async (url: string) => {
    const reply = await app.inject(url);
    return [reply.statusCode, (reply.json<Problem>().faults ?? []).map(({ path, message }) => `${path} ${message}`)];
  };
}

test('a query parameter that a call does not know is refused and named, with those that it takes', async () => {
  const get = await openApp();
  deepStrictEqual(
    [await get('/v1/things?wiat=3&limit=1'), await get('/v1/plain?x=1&y=2'), await get('/v1/things?__proto__=1')],
    [
      [422, ['/wiat is no query parameter of this call: it takes wait, limit']],
      [
        422,
        [
          '/x is no query parameter of this call: it takes none',
          '/y is no query parameter of this call: it takes none',
        ],
      ],
      [422, ['/__proto__ is no query parameter of this call: it takes wait, limit']],
    ],
  );
  deepStrictEqual(
    [await get('/v1/things?limit=1'), await get('/v1/in/bki_x?of=a-platform')],
    [
      [200, []],
      [200, []],
    ],
  );
});

test('a wait that is longer than a call may wait is refused with the limit', async () => {
  const get = await openApp();
  const refused = '/wait is more than 120, the seconds that one call may wait: call again to go on waiting';
  deepStrictEqual(
    [await get('/v1/things?wait=120'), await get('/v1/things?wait=121'), await get('/v1/things?wait=soon')],
    [
      [200, []],
      [422, [refused]],
      [422, ['/wait must be a number']],
    ],
  );
});
