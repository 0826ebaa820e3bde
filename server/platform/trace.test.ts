import { deepStrictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { pino } from 'pino';
import type { Inquiry } from '#shared/inquiry.ts';
import { createApp } from '../app.ts';
import { addDevice } from '../devices/admit.ts';
import { ensureOwner } from '../people/owner.ts';
import { createSource } from '../sources/create.ts';
import { openDatabase } from './engines/open.ts';
import { readSettings } from './settings.ts';
import { serve } from './testing/listen.ts';
import { readTrace, traceHeaders } from './trace.ts';

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const OTHER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';

test('a traceparent is one of version 00 with a trace and a parent, and anything else is nothing', () => {
  const zero = (text: string, at: number, length: number) =>
    text.slice(0, at) + '0'.repeat(length) + text.slice(at + length);
  const wrong = [
    '',
    'x',
    TRACE.toUpperCase(),
    `${TRACE}-x`,
    TRACE.replace('00-', 'ff-'),
    zero(TRACE, 3, 32),
    zero(TRACE, 36, 16),
    `${TRACE}\r\nx: y`,
    [TRACE],
    undefined,
  ];
  deepStrictEqual(
    [TRACE, ...wrong].map((traceparent) => readTrace({ traceparent })),
    [TRACE, ...wrong.map(() => undefined)],
  );
  deepStrictEqual(
    [undefined, null, 'x', 5].map((given) => readTrace(given as never)),
    [undefined, undefined, undefined, undefined],
  );
});

test('a tracestate goes on beside its traceparent, cut to whole members, and one that is none is left out', () => {
  const many = (count: number, value = '1') => Array.from({ length: count }, (_, at) => `k${at}=${value}`).join(',');
  const states: [unknown, string | undefined][] = [
    ['acme=1', 'acme=1'],
    ['acme=a b , t@vendor=x,\t,', 'acme=a b,t@vendor=x'],
    [many(32), many(32)],
    [many(5, 'x'.repeat(200)), many(2, 'x'.repeat(200))],
    [many(33), undefined],
    ['Acme=1', undefined],
    ['acme', undefined],
    ['acme=1\r\nx: y', undefined],
    ['acme=ü', undefined],
    [['acme=1'], undefined],
    ['', undefined],
  ];
  deepStrictEqual(
    states.map(([tracestate]) => traceHeaders(readTrace({ traceparent: TRACE, tracestate }))['tracestate']),
    states.map(([, expected]) => expected),
  );
  deepStrictEqual(readTrace({ tracestate: 'acme=1' }), undefined);
  deepStrictEqual(traceHeaders(readTrace({ traceparent: TRACE, tracestate: 'acme=a b' })), {
    traceparent: TRACE,
    tracestate: 'acme=a b',
  });
});

test('one trace joins agent, hub and receiver: what an ask and a tool call bring goes on with their webhooks', async (t) => {
  const { call, send, told, lines } = await hub(t);
  const over = await call('POST /v1/inquiries', { prompt: 'Over HTTP?' }, { traceparent: TRACE });
  await call('POST /v1/inquiries', { prompt: 'Without?' }, { traceparent: 'none' });
  await call(
    'POST /v1/ask/elicitation?wait=0',
    {
      mode: 'form',
      message: 'In a dialect?',
      requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } } },
    },
    { traceparent: OTHER },
  );
  const params = {
    name: 'send_inquiry',
    arguments: { prompt: 'As a tool?' },
    _meta: { traceparent: TRACE },
  };
  const mcp = { accept: 'application/json, text/event-stream', traceparent: OTHER };
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'agent', version: '1' } };
  const begun = await send('POST /mcp', { jsonrpc: '2.0', id: 0, method: 'initialize', params: client }, mcp);
  const session = { ...mcp, 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
  const asked = call('POST /mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, session);
  await lines('an inquiry was asked', 4);
  const { items } = await call<{ items: Inquiry[] }>('GET /v1/inbox');
  for (const { id, digest } of items) await call(`POST /v1/inquiries/${id}/answer`, { outcome: 'declined', digest });
  await asked;
  const delivered = await lines('a webhook was delivered', 8);
  const traces = Object.fromEntries(told.map(({ title, headers }) => [title, headers['traceparent']]));
  deepStrictEqual(traces, { 'Over HTTP?': TRACE, 'Without?': undefined, 'In a dialect?': OTHER, 'As a tool?': TRACE });
  const { id: inquiry, source } = over as Inquiry;
  const ofOne = (some: Record<string, unknown>[]) => some.filter((line) => line['inquiry'] === inquiry);
  const without = ({ level: _l, time: _t, delivery: _d, ...line }: Record<string, unknown>) => line;
  deepStrictEqual(
    [
      ...ofOne(await lines('an inquiry was asked', 4)),
      ...ofOne(await lines('an inquiry was resolved', 4)),
      ...ofOne(delivered),
    ].map(without),
    [
      { inquiry, source: source.id, trace: TRACE, msg: 'an inquiry was asked' },
      { inquiry, outcome: 'declined', by: 'person', msg: 'an inquiry was resolved' },
      { inquiry, type: 'inquiry.unreachable', msg: 'a webhook was delivered' },
      { inquiry, type: 'inquiry.resolved', msg: 'a webhook was delivered' },
    ],
  );
});

/** A hub in this process, whose log is read, with a source whose webhooks are heard. */
async function hub(t: TestContext) {
  const told: { title: string; headers: IncomingHttpHeaders }[] = [];
  const hook = await serve(t, (request, response) => {
    void text(request).then((body) => {
      told.push({ title: (JSON.parse(body) as { data: Inquiry }).data.title, headers: request.headers });
      response.end();
    });
  });
  const dataDir = mkdtempSync(join(tmpdir(), 'beckon-trace-'));
  const database = await openDatabase({ dataDir });
  const owner = await ensureOwner(database);
  const { key } = await createSource(database, owner.id, { name: 'CI', webhookUrl: hook });
  const { accessToken } = await addDevice(database, owner.id, 'Laptop');
  const written: Record<string, unknown>[] = [];
  const stream = new PassThrough().on('data', (line: Buffer) => {
    written.push(
      ...line
        .toString()
        .trim()
        .split('\n')
        .map((one) => JSON.parse(one) as Record<string, unknown>),
    );
  });
  const app = await createApp(readSettings({ DATA_DIR: dataDir, PORT: '0' }), database, pino({ base: null }, stream));
  const url = await app.start();
  t.after(async () => {
    await app.stop();
    rmSync(dataDir, { recursive: true });
  });
  const send = (route: string, body?: object, headers: Record<string, string> = {}): Promise<Response> => {
    const [method = '', path = ''] = route.split(' ');
    const token = /inbox|answer/.test(path) ? accessToken : key;
    const json = body ? { 'content-type': 'application/json' } : {};
    return fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...json, ...headers },
      body: body ? JSON.stringify(body) : null,
    });
  };
  return {
    told,
    async lines(msg: string, count: number) {
      const found = () => written.filter((line) => line['msg'] === msg);
      while (found().length < count) await once(stream, 'data');
      return found();
    },
    send,
    async call<T>(...given: Parameters<typeof send>): Promise<T> {
      const said = await (await send(...given)).text();
      return (said.startsWith('{') ? JSON.parse(said) : said) as T;
    },
  };
}
