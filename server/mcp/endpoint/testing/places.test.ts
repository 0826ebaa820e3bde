import { deepStrictEqual } from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { createApp } from '../../../app.ts';
import { openScene, type Scene } from './scene.ts';

let scene: Scene;
let open: { id: string };
let ask: string;
let relayed: string;
/** A server of somebody else that answers nobody any more. */
const mute = createServer((_request, reply) => void (mutes ? 0 : reply.writeHead(500).end()));
let mutes = false;

before(async () => {
  mute.listen(0, '127.0.0.1');
  await once(mute, 'listening');
  const base = `http://127.0.0.1:${(mute.address() as AddressInfo).port}`;
  scene = await openScene(createApp, { graceMs: 10 }, { WAIT_LIMIT: '1', STREAM_LIMIT: '1' });
  const { call, keys } = scene;
  open = await call('POST', '/v1/inquiries', keys.source, { prompt: 'Open?' });
  ask = (await call<{ ask: string }>('POST', '/v1/ask/elicitation?wait=0', keys.source, ELICITATION)).ask;
  await call('PUT', '/v1/gates/mute', keys.device, { upstream: { url: base }, otherwise: 'allow' });
  const connection = { name: 'Mute', kind: 'chatcompletions', baseUrl: base };
  relayed = (await call<{ url: string }>('POST', '/v1/connections', keys.device, connection)).url;
  relayed = `${scene.url}${new URL(relayed).pathname}`;
  mutes = true;
});
after(async () => {
  await scene?.stop();
  mute.close();
  mute.closeAllConnections();
});

const ELICITATION = { message: 'Which?', requestedSchema: { type: 'object', properties: { a: { type: 'string' } } } };
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};
const CALL = {
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name: 'send_inquiry', arguments: { prompt: 'By tool?' } },
};
const LIST = { jsonrpc: '2.0', id: 3, method: 'tools/list', params: {} };

type Sent = { body?: object; key?: string; headers?: object; signal?: AbortSignal };

function send(method: string, path: string, { body, key = scene.keys.source, headers, signal }: Sent = {}) {
  return fetch(path.startsWith('/') ? scene.url + path : path, {
    method,
    headers: {
      ...(path.startsWith('/') ? { authorization: `Bearer ${key}` } : {}),
      accept: 'application/json, text/event-stream',
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    body: body ? JSON.stringify(body) : null,
    signal: signal ?? null,
  });
}

/** A session of its own: one whose calls wait ends soon after its client went. */
async function inSession(): Promise<object> {
  const opened = await send('POST', '/mcp', { body: INITIALIZE });
  await opened.text();
  return { 'mcp-session-id': opened.headers.get('mcp-session-id'), 'mcp-protocol-version': '2025-06-18' };
}

/** Every door at which a call waits or streams, and what it refuses with. */
const DOORS: Record<string, { kind: 'wait' | 'stream'; stores?: true; knock: (more?: Sent) => Promise<Response> }> = {
  'an ask that waits': {
    kind: 'wait',
    stores: true,
    knock: (more) => send('POST', '/v1/inquiries?wait=60', { body: { prompt: 'Stored?' }, ...more }),
  },
  'a long poll': { kind: 'wait', knock: (more) => send('GET', `/v1/inquiries/${open.id}?wait=60`, more) },
  'a long poll for an ask': { kind: 'wait', knock: (more) => send('GET', `/v1/asks/${ask}?wait=60`, more) },
  'an ask in a dialect': {
    kind: 'wait',
    stores: true,
    knock: (more) => send('POST', '/v1/ask/elicitation', { body: { ...ELICITATION, message: 'Held?' }, ...more }),
  },
  'a tool that asks': {
    kind: 'wait',
    stores: true,
    knock: async (more) => send('POST', '/mcp', { body: CALL, headers: await inSession(), ...more }),
  },
  'a call through a gate': {
    kind: 'wait',
    knock: (more) => send('POST', '/mcp/gate/mute', { body: LIST, ...more }),
  },
  'a stream of one inquiry': { kind: 'stream', knock: (more) => send('GET', `/v1/inquiries/${open.id}/events`, more) },
  'the stream of a session': {
    kind: 'stream',
    knock: async (more) => send('GET', '/mcp', { headers: await inSession(), ...more }),
  },
  'the stream of a gate': {
    kind: 'stream',
    knock: (more) => send('GET', '/mcp/gate/mute', more),
  },
};

/** Whether its credential has no place left; what is unknown takes one for a moment only. */
async function isFull(kind: 'wait' | 'stream'): Promise<boolean> {
  const path = `/v1/inquiries/${open.id.replace(/.$/, '!')}${kind === 'wait' ? '?wait=60' : '/events'}`;
  return (await send('GET', path)).status === 429;
}

/** Goes in and stays; returns how to leave. */
async function enter(kind: 'wait' | 'stream', knock: (more?: Sent) => Promise<Response>): Promise<() => Promise<void>> {
  for (;;) {
    const gone = new AbortController();
    let replied = false;
    const reply = knock({ signal: gone.signal })
      .then((got) => got.text())
      .catch(() => undefined)
      .finally(() => (replied = true));
    while (!replied && !(await isFull(kind)));
    if (replied) continue;
    return async () => {
      gone.abort();
      await reply;
      while (await isFull(kind));
    };
  }
}

async function stored(): Promise<number> {
  return (await scene.call<{ items: Inquiry[] }>('GET', '/v1/inquiries', scene.keys.source)).items.length;
}

for (const [name, { kind, stores, knock }] of Object.entries(DOORS))
  test(`${name} takes a place until its client goes, and is refused where a ${kind} of its credential has the last one`, async () => {
    const had = await stored();
    const leave = await enter(kind, knock);
    // A place is taken before what is asked is stored.
    while (stores && (await stored()) === had);
    const before = await stored();
    const reply = await knock({ signal: AbortSignal.timeout(5_000) });
    const text = await reply.text();
    await leave();
    const words = `1 ${kind === 'wait' ? 'calls of this credential wait' : 'streams of this credential are open'} already`;
    deepStrictEqual([text.includes(words) ? 'refused' : text, await stored()], ['refused', before]);
  });

test('a stream through a connection is refused in the form of its platform, beside the streams of other credentials', async () => {
  const gone = new AbortController();
  const pass = () => send('POST', `${relayed}/chat/completions`, { body: {}, signal: gone.signal });
  const reply = await Promise.any([pass(), pass()]);
  const told = [reply.status, await reply.json()];
  const leave = await enter('stream', DOORS['a stream of one inquiry']!.knock);
  await leave();
  gone.abort();
  const message = '1 streams of this credential are open already on this node. Close some.';
  const error = { message, type: 'rate_limit_error', param: null, code: 'stream.too_many' };
  deepStrictEqual(told, [429, { error }]);
});
