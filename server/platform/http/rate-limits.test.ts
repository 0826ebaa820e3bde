import { deepStrictEqual, ok, throws } from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, test, type TestContext } from 'node:test';
import { createLog } from '../log.ts';
import type { Caller } from './access.ts';
import { createHttp } from './http.ts';
import { createRateLimits } from './rate-limits.ts';
import type { Http } from './server.ts';

const ALICE: Caller = { kind: 'source', id: 'src_alice', name: 'Alice', ownerId: 'per_1' };
const BOB: Caller = {
  kind: 'device',
  id: 'dev_bob',
  name: 'Phone',
  person: { id: 'per_2', handle: 'bob', name: 'Bob', owner: false, locale: undefined },
};
const KEYS: Record<string, Caller | 'revoked'> = {
  bks_alice: ALICE,
  bks_renewed: ALICE,
  bkd_bob: BOB,
  bkd_gone: 'revoked',
};

type Call = { url?: string; method?: 'GET' | 'POST' | 'OPTIONS'; from?: string; forwarded?: string; key?: string };

/** Eight requests a minute for each caller, two for each address without a valid credential. */
async function openHttp(t: TestContext, trustProxy: number | string[] = 0) {
  const app = await createHttp({
    log: createLog('silent'),
    findCaller: async (token) => KEYS[token] ?? 'unknown',
    origins: () => ['https://hub.test'],
    trustProxy,
    rateLimit: 8,
  });
  t.after(() => app.close());
  for (const access of ['public', 'source', 'device', 'owner', 'any'] as const)
    app.route({ method: ['GET', 'POST'], url: `/${access}`, config: { access }, handler: () => ({}) });
  app.get('/healthz', { config: { access: 'public', uncounted: true } }, () => ({}));
  return app;
}

async function statusOf(app: Http, { url = '/public', method = 'GET', from, forwarded, key }: Call) {
  const reply = await app.inject({
    method,
    url,
    ...(from === undefined ? {} : { remoteAddress: from }),
    headers: {
      ...(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
      ...(key === undefined ? {} : { authorization: key.includes(' ') ? key : `Bearer ${key}` }),
    },
  });
  return reply.statusCode;
}

async function statuses(app: Http, calls: Call[]) {
  const replies = [];
  for (const call of calls) replies.push(await statusOf(app, call));
  return replies;
}

const times = (count: number, call: (nth: number) => Call) => Array.from({ length: count }, (_, nth) => call(nth));

test('requests are counted by the minute, and a step of the clock neither opens nor locks anybody', async (t) => {
  let passed = 0;
  const [monotonic, wall] = [performance.now.bind(performance), Date.now.bind(Date)];
  t.mock.method(performance, 'now', () => monotonic() + passed);
  const app = await openHttp(t);
  const first = await statuses(
    app,
    times(3, () => ({})),
  );
  t.mock.method(Date, 'now', () => wall() + 3_600_000);
  const ahead = await statuses(app, [{}]);
  t.mock.method(Date, 'now', () => wall() - 3_600_000);
  const back = await statuses(app, [{}]);
  passed = 61_000;
  deepStrictEqual([first, ahead, back, await statuses(app, [{}])], [[200, 200, 429], [429], [429], [200]]);
});

describe('[SEC1] without a valid credential requests are counted by address', () => {
  const ways: [string, (nth: number) => Call][] = [
    ['another made-up key each time', (nth) => ({ key: `bks_${nth}` })],
    ['another made-up scheme each time', (nth) => ({ key: `Basic ${nth}` })],
    ['the key of a device that was revoked', () => ({ key: 'bkd_gone' })],
    ['made-up keys at a call that refuses them', (nth) => ({ url: '/source', key: `bks_${nth}` })],
    ['no key at a call that needs one', () => ({ url: '/owner', method: 'POST' })],
    ['an address where nothing is', (nth) => ({ url: `/nothing/${nth}`, method: 'POST', key: `bks_${nth}` })],
    ['an address that cannot be read', (nth) => ({ url: `/%${nth}`, key: `bks_${nth}` })],
    ['a credential in the address', (nth) => ({ url: `/public?key=bks_${'a'.repeat(42)}${nth}` })],
    ['a made-up X-Forwarded-For', (nth) => ({ forwarded: `198.51.100.${nth}` })],
  ];
  for (const [what, call] of ways)
    test(what, async (t) => {
      const replies = await statuses(await openHttp(t), times(5, call));
      deepStrictEqual(
        replies.map((status) => status === 429),
        [false, false, true, true, true],
      );
    });
});

test('[SEC1] with a valid credential requests are counted by their caller, with whatever key, and refused ones too', async (t) => {
  const app = await openHttp(t);
  deepStrictEqual(
    await statuses(app, [
      ...times(3, () => ({ key: 'bks_alice' })),
      ...times(3, () => ({ key: 'bks_renewed', from: '203.0.113.5' })),
      ...times(2, () => ({ key: 'bks_alice', url: '/device' })),
      { key: 'bks_renewed' },
      { key: 'bks_alice', url: '/device' },
      { key: 'bkd_bob' },
    ]),
    [200, 200, 200, 200, 200, 200, 403, 403, 429, 429, 200],
  );
});

test('[SEC1] nobody locks out those who share an address with them', async (t) => {
  const app = await openHttp(t);
  const flood = await statuses(
    app,
    times(20, (nth) => ({ key: `bks_${nth}` })),
  );
  deepStrictEqual(
    [flood.at(-1), await statuses(app, [{ key: 'bks_alice' }, { key: 'bkd_bob' }, { url: '/healthz' }, {}])],
    [429, [200, 200, 200, 429]],
  );
});

test('[SEC1] no number of made-up keys or addresses makes the hub forget who was over', () => {
  const limits = createRateLimits({ max: 400, trusts: () => false });
  const call = (remoteAddress: string, caller?: Caller) =>
    limits.count({ headers: {}, socket: { remoteAddress } } as IncomingMessage, caller);
  const refused = (run: () => void) => throws(run, { status: 429, code: 'request.too_many' });
  for (let nth = 0; nth < 100; nth++) call('203.0.113.5');
  for (let nth = 0; nth < 400; nth++) call('203.0.113.6', ALICE);
  const strangers = Array.from({ length: 20_000 }, (_, nth) => `10.${nth >> 8}.${nth & 255}.1`);
  // One in 65,536 shares a counter with whoever is over.
  let turnedAway = 0;
  for (const address of strangers) {
    try {
      call(address);
    } catch {
      turnedAway += 1;
    }
  }
  ok(turnedAway < 10);
  refused(() => call('203.0.113.5'));
  refused(() => call('203.0.113.6', ALICE));
  call('203.0.113.6');
});

test('[SEC1] an IPv6 address counts as its network, and many networks of one site as that site', async (t) => {
  const app = await openHttp(t);
  const network = await statuses(
    app,
    times(3, (nth) => ({ from: `2001:db8:1:1::${nth + 1}` })),
  );
  const beside = await statuses(app, [{ from: '2001:db8:1:2::1' }, { from: '::ffff:203.0.113.5' }]);
  const site = await statuses(
    app,
    times(40, (nth) => ({ from: `2001:db8:2:${nth.toString(16)}::1` })),
  );
  deepStrictEqual([network, beside, site.indexOf(429)], [[200, 200, 429], [200, 200], 32]);
});

test('[SEC1] behind proxies the address counts that the last trusted one saw, with or without a port', async (t) => {
  const behind = (nth: number) => `198.51.100.${nth}, 203.0.113.5${nth % 2 ? `:${40_000 + nth}` : ''}`;
  const replies = [];
  for (const trusted of [1, ['127.0.0.1']])
    replies.push(
      await statuses(await openHttp(t, trusted), [
        ...times(3, (nth) => ({ forwarded: behind(nth) })),
        ...times(3, (nth) => ({ forwarded: `not an address ${nth}` })),
        { forwarded: '203.0.113.6' },
      ]),
    );
  const expected = [200, 200, 429, 200, 200, 429, 200];
  deepStrictEqual(replies, [expected, expected]);
});

test('whoever is over is told how long to wait, and what was counted', async (t) => {
  const app = await openHttp(t);
  await statuses(app, [{}, {}, ...times(8, () => ({ key: 'bks_alice' }))]);
  const said = async (authorization?: string) => {
    const reply = await app.inject({ url: '/public', headers: authorization === undefined ? {} : { authorization } });
    const { code, detail } = reply.json<{ code: string; detail: string }>();
    return [code, detail.replace(/\d+ s/, 'N s'), Number(reply.headers['retry-after']) > 50];
  };
  deepStrictEqual(
    [await said(), await said('Bearer bks_alice')],
    [
      ['request.too_many', 'Too many requests without a valid credential from this address; try again in N s.', true],
      ['request.too_many', 'Too many requests with this credential; try again in N s.', true],
    ],
  );
});
