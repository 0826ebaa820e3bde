import { deepStrictEqual, match, rejects, strictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { serve } from '../../platform/testing/listen.ts';
import { askForKey } from './grant.ts';

const BEGUN = {
  device_code: 'd',
  user_code: 'WDJB-MJHT',
  verification_uri: 'https://hub.test/connect',
  interval: 1,
  expires_in: 600,
};
const KEY = `bks_${'k'.repeat(43)}`;

type Reply = [status: number, body: unknown];

/** What it says to a hub that replies like this, one after the other, and how that ends. */
async function ask(t: TestContext, replies: Reply[]) {
  const sent: string[] = [];
  const waits: number[] = [];
  let shown = '';
  const url = await serve(t, (request, reply) => {
    sent.push(request.url ?? '');
    const [status, body] = replies[Math.min(sent.length, replies.length) - 1] as Reply;
    reply.writeHead(status, { connection: 'close', location: 'http://127.0.0.1:1/' }).end(JSON.stringify(body));
  });
  const err = { write: (text: string) => void (shown += text) };
  const ended = askForKey(url, 'Codex, build-7', { err } as never, async (ms) => void waits.push(ms));
  return { ended, sent, waits, shown: () => shown };
}

test('it shows the code and waits until there is a key, over a hub that is away for a moment', async (t) => {
  const pending: Reply = [400, { error: 'authorization_pending' }];
  const { ended, sent, waits, shown } = await ask(t, [
    [200, { ...BEGUN, interval: 7 }],
    pending,
    [400, { error: 'slow_down' }],
    [503, 'away'],
    [200, { access_token: KEY }],
  ]);
  strictEqual(await ended, KEY);
  deepStrictEqual(sent, ['/v1/device-authorizations', ...Array<string>(4).fill('/v1/device-authorizations/token')]);
  deepStrictEqual(waits, [7_000, 7_000, 12_000, 12_000]);
  match(shown(), /https:\/\/hub\.test\/connect\n.*\n\n {2}WDJB-MJHT\n\nWaiting, 10 minutes at most/s);
});

const ENDS: [what: string, replies: Reply[], says: RegExp][] = [
  ['a hub of before', [[404, { code: 'route.unknown' }]], /is older than this command: make a key on its page/],
  [
    'a hub that has enough of them',
    [[429, { error: 'x', error_description: 'Too\u001b[2J many.' }]],
    /Too\[2J many\.$/,
  ],
  ['an address that leads elsewhere', [[302, {}]], /: No hub replies at/],
  ['a code that moves the cursor', [[200, { ...BEGUN, user_code: 'A\u001b[2J' }]], /gives no key to this machine/],
  [
    'a no',
    [
      [200, BEGUN],
      [400, { error: 'access_denied' }],
    ],
    /: Nothing was written: the owner of .* said no\.$/,
  ],
  [
    'the end of its time',
    [
      [200, BEGUN],
      [400, { error: 'expired_token' }],
    ],
    /: Nothing was written: nobody said yes in time/,
  ],
  ['no time at all', [[200, { ...BEGUN, expires_in: 'x' }]], /: Nothing was written: nobody said yes in time/],
  [
    'a device’s token in place of a key',
    [
      [200, BEGUN],
      [200, { access_token: 'bkd_x' }],
    ],
    /gave no key: HTTP 200\.$/,
  ],
];
for (const [what, replies, says] of ENDS)
  test(`${what}: one sentence, and no key`, async (t) => {
    const { ended } = await ask(t, replies);
    await rejects(ended, says);
  });
