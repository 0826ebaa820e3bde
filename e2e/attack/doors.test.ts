import { deepStrictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { NewConnectionReply } from '#shared/connections/connection.ts';
import { LIVE_PROTOCOL } from '#shared/live.ts';
import type { Problem } from '#shared/problem.ts';
import { must } from '../hub/call.ts';
import { connectPage } from '../hub/page.ts';
import { openScene, type Scene } from './scene.ts';

/** Requests a minute of a caller; a quarter of them of an address. */
const LIMIT = 80;
const OF_ADDRESS = LIMIT / 4;

type Call = { from: string; token?: string; nth?: number };

let scene: Scene;
let connection: NewConnectionReply;
before(async () => {
  scene = await openScene('SQLite', 1, { RATE_LIMIT: String(LIMIT), TRUST_PROXY: '1', METRICS_TOKEN: 'm'.repeat(16) });
  const body = { name: 'Flow', kind: 'inbound' };
  connection = await must(scene.hub, 'POST /v1/connections', { token: scene.owner.token, body });
});
after(() => scene?.remove());

async function http(method: string, path: string, { from, token }: Call) {
  const response = await fetch(new URL(path, scene.hub.url), {
    method,
    headers: {
      'x-forwarded-for': from,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
    },
    ...(method === 'POST' ? { body: '{}' } : {}),
  });
  await response.arrayBuffer();
  return response.status;
}

async function live({ from, token }: Call): Promise<number> {
  const socket = connectPage(
    scene.hub,
    { protocol: LIVE_PROTOCOL, token },
    { extraHeaders: { 'x-forwarded-for': from } },
  );
  const status = await new Promise<number>((told) => {
    socket.once('connect', () => told(200));
    socket.once('connect_error', (error: Error & { data?: Problem }) => told(error.data?.status ?? 0));
  });
  socket.disconnect();
  return status;
}

const made = (nth = 0) => `${'a'.repeat(41)}${String(nth).padStart(2, '0')}`;
const asSource = () => scene.source.key;
const asDevice = () => scene.owner.token;

/** How each door is tried with what was made up, and how with what is good. */
const DOORS: [string, (call: Call) => Promise<number>, ((from: string) => Promise<number>)?][] = [
  ['redeeming', (call) => http('POST', '/v1/enrolments/redeem', { ...call, token: `bkd_${made(call.nth)}` })],
  [
    'the reference',
    (call) => http('GET', '/docs/json', call),
    (from) => http('GET', '/docs/json', { from, token: asSource() }),
  ],
  ['the page', (call) => http('GET', '/inbox', call), (from) => http('GET', '/inbox', { from, token: asDevice() })],
  [
    'a source',
    (call) => http('GET', '/v1/inquiries', { ...call, token: `bks_${made(call.nth)}` }),
    (from) => http('GET', '/v1/inquiries', { from, token: asSource() }),
  ],
  [
    'a device',
    (call) => http('GET', '/v1/inbox', { ...call, token: `bkd_${made(call.nth)}` }),
    (from) => http('GET', '/v1/inbox', { from, token: asDevice() }),
  ],
  [
    'MCP',
    (call) => http('POST', '/mcp', { ...call, token: `bks_${made(call.nth)}` }),
    (from) => http('POST', '/mcp', { from, token: asSource() }),
  ],
  [
    'a gate',
    (call) => http('POST', '/mcp/gate/shell', { ...call, token: `bks_${made(call.nth)}` }),
    (from) => http('POST', '/mcp/gate/shell', { from, token: asSource() }),
  ],
  [
    'a connection',
    (call) => http('POST', `/v1/in/bki_${made(call.nth)}`, { ...call, token: String(call.nth) }),
    (from) => http('POST', new URL(connection.url).pathname, { from }),
  ],
  [
    'a relay',
    (call) => http('GET', `/v1/in/bki_${made(call.nth)}/models`, call),
    (from) => http('GET', `${new URL(connection.url).pathname}/models`, { from }),
  ],
  [
    'metrics',
    (call) => http('GET', '/metrics', { ...call, token: made(call.nth) }),
    (from) => http('GET', '/metrics', { from, token: 'm'.repeat(16) }),
  ],
  [
    'the live line',
    (call) => live({ ...call, token: `bkd_${made(call.nth)}` }),
    (from) => live({ from, token: asDevice() }),
  ],
];

describe(
  '[SEC1] at every door what is made up is counted by address, and what is good is not',
  { timeout: 60_000 },
  () => {
    for (const [at, [door, knock, enter]] of DOORS.entries())
      test(door, async () => {
        const from = `198.51.100.${at}`;
        const statuses = [];
        for (let nth = 0; nth < OF_ADDRESS + 2; nth++) statuses.push(await knock({ from, nth }));
        deepStrictEqual(
          [statuses.indexOf(429), statuses.at(-1), (await enter?.(from)) === 429],
          [OF_ADDRESS, 429, false],
        );
      });
  },
);
