import { deepStrictEqual, match, ok, rejects } from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createApp } from '../../../app.ts';
import { verifyReceipt } from '../../../dialects/client/receipt.mjs';
import { TooMany } from '../../../platform/http/rate-limits.ts';
import { openScene, type Scene } from './scene.ts';

const LEAST_MS = 100;
const APPROVE = { type: 'approve' } as const;
const PENDING =
  'A person has not decided about this call yet; it was not run. The question is still open on their devices. Call this tool again now with exactly the same arguments to go on waiting, and do not take silence for an answer.';
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

type Result = { content?: { text: string }[]; isError?: boolean; resultType?: string; requestState?: string };
type Message = { id?: number; result?: Result; error?: { code: number; message: string } };
type Raw = {
  state?: string | undefined;
  key?: string;
  url?: URL;
  name?: string;
  token?: string;
  receipt?: string;
  prefer?: string;
};
type Line = 'SDK 1' | 'SDK 2, legacy' | 'SDK 2, modern' | 'SDK 2, auto';
type Connected = {
  call(name: string, args: object, options?: object): Promise<Result>;
  /** The states that the client was given to come back with. */
  states(): string[];
};

describe('a held call waits as its client can take it', { timeout: 120_000 }, () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene(createApp, { roundMs: 150, pendingMs: 150, leastMs: LEAST_MS, earlierMs: 200 });
  });
  after(() => scene?.stop());

  async function connect(
    t: TestContext,
    line: Line,
    url: URL,
    name = 'agent',
    elicited: () => void = () => undefined,
  ): Promise<Connected> {
    const key = scene.keys.source;
    const heard: Message[] = [];
    const onmessage = (message: unknown): void => void heard.push(message as Message);
    const states = () => heard.flatMap(({ result }) => result?.requestState ?? []);
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    if (line === 'SDK 1') {
      const client = new FirstClient({ name, version: '1' });
      t.after(() => client.close());
      await client.connect(Object.assign(new FirstTransport(url, { requestInit }), { onmessage }) as never);
      return {
        call: async (name, args, options) =>
          (await client.callTool({ name, arguments: { ...args } }, undefined, options as never)) as Result,
        states,
      };
    }
    const mode = line === 'SDK 2, modern' ? { pin: '2026-07-28' } : line === 'SDK 2, auto' ? 'auto' : 'legacy';
    const client = new Client(
      { name, version: '1' },
      { versionNegotiation: { mode }, capabilities: { elicitation: { form: {} } } },
    );
    client.setRequestHandler('elicitation/create', () => {
      elicited();
      return { action: 'accept', content: { name: 'Ada' } };
    });
    t.after(() => client.close());
    await client.connect(Object.assign(new StreamableHTTPClientTransport(url, { requestInit }), { onmessage }));
    return {
      call: async (name, args, options) =>
        (await client.callTool({ name, arguments: { ...args } }, options as never)) as Result,
      states,
    };
  }

  /** One modern call as these bytes; `state` stands where a client puts it. */
  async function send(args: string, more: Raw = {}) {
    const { key = scene.keys.source, url = scene.gate('web'), name = 'note', prefer } = more;
    const { body } = rawCall(args, { ...more, name });
    const gone = new AbortController();
    const reply = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': name,
        ...(prefer !== undefined && { prefer }),
      },
      body,
      signal: gone.signal,
    });
    const read = async (): Promise<Message> => {
      const text = await reply.text();
      return JSON.parse(/^data: (.*"(?:result|error)".*)$/m.exec(text)?.[1] ?? text) as Message;
    };
    return { status: reply.status, applied: reply.headers.get('preference-applied'), read, cut: () => gone.abort() };
  }
  const stateOf = async (call: ReturnType<typeof send>): Promise<string> => {
    const { result } = await (await call).read();
    deepStrictEqual(result?.resultType, 'input_required');
    return String(result?.requestState);
  };
  /** Calls as an official client and a model do, until there is a decision. */
  const decided = async (next: (state?: string) => Promise<Result | undefined>): Promise<string> => {
    let result = await next();
    while (result?.resultType === 'input_required' || said(result ?? {}) === PENDING)
      result = await next(result?.requestState);
    return said(result ?? {});
  };
  const said = ({ content }: Result): string => (content ?? []).map(({ text }) => text).join('\n');
  const asked = async (text: string) => (await scene.asked(text)).map(({ resolution }) => resolution?.outcome);

  for (const line of ['SDK 2, modern', 'SDK 2, auto'] as const) {
    test(`[ASK5] ${line}, by default: round by round, by itself, with one question`, async (t) => {
      const text = `in rounds ${line}`;
      const { call, states } = await connect(t, line, scene.gate('web'));
      const calling = decided(() => call('note', { text }));
      const [inquiry] = await scene.asked(text);
      while (states().length < 2) await pause(5);
      await scene.decide(inquiry, APPROVE);
      deepStrictEqual([await calling, await asked(text)], [`noted ${text}`, ['answered']]);
    });
  }

  for (const line of ['SDK 1', 'SDK 2, legacy'] as const) {
    test(`[ASK5] ${line}, by default: told to call again, and the same call finds its question`, async (t) => {
      const text = `again ${line}`;
      const { call } = await connect(t, line, scene.gate('web'));
      const told = [await call('note', { text }), await call('note', { text })];
      deepStrictEqual(
        told.map((result) => [said(result), result.isError]),
        [
          [PENDING, undefined],
          [PENDING, undefined],
        ],
      );
      const calling = decided(() => call('note', { text }));
      await scene.decide((await scene.asked(text))[0], APPROVE);
      deepStrictEqual([await calling, await asked(text)], [`noted ${text}`, ['answered']]);
    });
  }

  test('in the ninth round the call returns, before its client stops following', async (t) => {
    const { call, states } = await connect(t, 'SDK 2, modern', scene.gate('web'));
    const { content, isError } = await call('note', { text: 'nine rounds' });
    deepStrictEqual([content?.[0]?.text, isError, states().length], [PENDING, undefined, 8]);
    const calling = decided(() => call('note', { text: 'nine rounds' }));
    await scene.decide((await scene.asked('nine rounds'))[0], { type: 'reject', message: 'No.' });
    deepStrictEqual(await calling, 'A person rejected this call; it was not run. Their words: No.');
    deepStrictEqual(await asked('nine rounds'), ['answered']);
  });

  test('a tool that promised structured content returns undecided as an error, which clients take', async (t) => {
    const url = scene.gate('web', '?wait=0.05&locale=zh');
    for (const line of ['SDK 1', 'SDK 2, modern'] as const) {
      const { call } = await connect(t, line, url);
      const result = await call('count', {});
      deepStrictEqual([said(result).includes('再次调用'), result.isError], [true, true]);
    }
  });

  test('with progress, or ?wait=0, a call waits for longer than a round', async (t) => {
    const cases = [
      ['SDK 1', '', { onprogress: () => undefined }],
      ['SDK 2, modern', '', { onprogress: () => undefined }],
      ['SDK 1', '?wait=0', {}],
      ['SDK 2, modern', '?wait=0', {}],
    ] as const;
    const texts = cases.map((_case, at) => `for long ${at}`);
    const calls = await Promise.all(
      cases.map(async ([line, query, options], at) => {
        const { call } = await connect(t, line, scene.gate('web', query));
        return { done: call('note', { text: texts[at] }, options) };
      }),
    );
    await Promise.all(texts.map((text) => scene.asked(text)));
    // Longer than any wait without it: another call has run out meanwhile.
    await stateOf(send('{"text":"meanwhile"}'));
    await Promise.all(texts.map(async (text) => scene.decide((await scene.asked(text))[0], APPROVE)));
    const results = await Promise.all(calls.map(({ done }) => done));
    deepStrictEqual(
      results.map(said),
      texts.map((text) => `noted ${text}`),
    );
  });

  test('a client that gave up although it was shown progress gets its calls back before that, after a restart too', async (t) => {
    const line = 'SDK 2, modern';
    const name = 'impatient';
    const shown = { onprogress: () => undefined };
    const first = await connect(t, line, scene.gate('web'), name);
    const stop = new AbortController();
    // One of this era gives up by closing, as its clock does.
    const given = rejects(first.call('note', { text: name }, { ...shown, signal: stop.signal }));
    await scene.asked(name);
    const askedAt = performance.now();
    while (performance.now() - askedAt < LEAST_MS) await pause(5);
    stop.abort();
    await given;
    while (!(await scene.impatient()).length) await pause(5);
    await scene.restart();
    const later = await connect(t, line, scene.gate('web'), name);
    const told = await later.call('note', { text: `${name} later` }, { ...shown, timeout: 30_000 });
    deepStrictEqual(said(told), PENDING);
  });

  test('?wait= bounds a call with progress too; what cannot be meant is refused', async (t) => {
    const { call } = await connect(t, 'SDK 2, modern', scene.gate('web', '?wait=0.05'));
    deepStrictEqual(said(await call('note', { text: 'briefly' }, { onprogress: () => undefined })), PENDING);
    for (const wait of ['-1', 'long', '2592001', '1&wait=2']) {
      const refused = await send('{"text":"never"}', { url: scene.gate('web', `?wait=${wait}`) });
      deepStrictEqual([refused.status, ((await refused.read()) as { code?: string }).code], [400, 'gate.bad_query']);
    }
  });

  test('Prefer says how long a call waits where its address does not', async () => {
    const short = await send('{"text":"hurried"}', { url: scene.gate('web', '?wait=0.05s'), prefer: 'wait=900' });
    deepStrictEqual([short.applied, said((await short.read()).result ?? {})], [null, PENDING]);
    // Without it the call would return in rounds.
    const long = send('{"text":"preferred"}', { prefer: 'respond-async, wait=900' });
    await scene.decide((await scene.asked('preferred'))[0], APPROVE);
    const { applied, read } = await long;
    deepStrictEqual([applied, said((await read()).result ?? {})], ['wait=900', 'noted preferred']);
  });

  test('what is approved after rounds reaches the upstream byte by byte as it was first sent', async () => {
    const args = '{ "text":"bytes", "n" : 9007199254740993, "x":1.0e2 }';
    const first = await stateOf(send(args));
    const second = await stateOf(send(args, { state: first }));
    const last = decided(async (state = second) => (await (await send(args, { state })).read()).result);
    await scene.decide((await scene.asked('bytes'))[0], APPROVE);
    deepStrictEqual(await last, 'noted bytes');
    deepStrictEqual(
      scene.upstream.calls.filter((text) => text.includes('bytes')),
      [rawCall(args, { name: 'note' }).of],
    );
  });

  test('[ASK5] a state that is forged, another’s or another call’s lets nothing pass', async () => {
    const args = '{"text":"whose","n":9007199254740993}';
    const state = await stateOf(send(args));
    const [inquiry] = await scene.asked('whose');
    const refused = [
      await send('{"text":"whose","n":9007199254740992}', { state }),
      await send(args, { state, key: scene.keys.other }),
      await send(args, { state, name: 'sign' }),
    ];
    await scene.decide(inquiry, APPROVE);
    const read = await Promise.all(refused.map(async (one) => [one.status, (await one.read()).error]));
    const error = { code: -32602, message: 'Invalid params: this requestState belongs to another call.' };
    deepStrictEqual(read, [
      [400, error],
      [400, error],
      [400, error],
    ]);
    // Not this hub's, so perhaps the upstream's: asked about like any call, and then passed on with it.
    const forged = `${state.slice(0, 30)}${state[30] === 'A' ? 'B' : 'A'}${state.slice(31)}`;
    const other = decided(async () => (await (await send('{"text":"forged"}', { state: forged })).read()).result);
    await scene.decide((await scene.asked('forged'))[0], APPROVE);
    deepStrictEqual(await other, 'noted forged');
    // The state itself, from whom it belongs to, lets the one approved call pass and then none.
    deepStrictEqual((await (await send(args, { state })).read()).result?.content?.[0]?.text, 'noted whose');
    ok((await stateOf(send(args, { state }))) !== state);
    deepStrictEqual(await asked('whose'), ['answered', undefined]);
    deepStrictEqual(
      scene.upstream.calls.filter((text) => /whose|forged/.test(text)).map((text) => text.includes(forged)),
      [true, false],
    );
  });

  test('an upstream’s own rounds pass after rounds, with its own state unchanged', async (t) => {
    const { call, states } = await connect(t, 'SDK 2, modern', scene.gate('web'));
    const calling = decided(() => call('sign', { text: 'deed' }));
    const [inquiry] = await scene.asked('deed');
    while (states().length < 2) await pause(5);
    await scene.decide(inquiry, APPROVE);
    deepStrictEqual([await calling, await asked('deed')], ['signed deed as Ada, signing deed', ['answered']]);
    const sent = scene.upstream.calls.filter((text) => text.includes('deed')).map((text) => JSON.parse(text));
    deepStrictEqual(
      sent.map(({ params }) => params.requestState),
      [undefined, 'signing deed'],
    );
  });

  test('a gate behind a gate of the same hub goes on in its own rounds', async () => {
    for (const otherwise of ['ask', 'allow']) {
      await scene.put(otherwise, scene.gate('web'), { otherwise });
      const text = `nested ${otherwise}`;
      const url = scene.gate(otherwise);
      const next = (state?: string) => send(JSON.stringify({ text }), { url, state });
      let state: string | undefined;
      for (const at of otherwise === 'ask' ? [0, 1] : [0]) {
        state = await stateOf(next(state));
        await scene.decide((await scene.asked(text, at + 1))[at], APPROVE);
      }
      deepStrictEqual((await (await next(state)).read()).result?.content?.[0]?.text, `noted ${text}`);
    }
    const sent = scene.upstream.calls.filter((text) => text.includes('nested'));
    deepStrictEqual(
      sent.map((text) => text.includes('requestState')),
      [false, false],
    );
  });

  test('[WDR1] a client without a session, a stream or a round to come back to lets go when it closes', async () => {
    const gone = new AbortController();
    const params = { name: 'note', arguments: { text: 'closed' }, _meta: { progressToken: 1 } };
    const calling = fetch(scene.gate('web'), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${scene.keys.source}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': '2025-06-18',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      signal: gone.signal,
    }).catch(() => undefined);
    await scene.asked('closed');
    gone.abort();
    await calling;
    let outcome: unknown;
    while (outcome === undefined) [outcome] = await asked('closed');
    deepStrictEqual([outcome, scene.upstream.calls.some((text) => text.includes('closed'))], ['withdrawn', false]);
  });

  test('[WDR1] a cancel in a later round takes the question back, and nothing runs', async () => {
    const args = '{"text":"cancelled"}';
    const first = await stateOf(send(args));
    const state = await stateOf(send(args, { state: first }));
    const call = await send(args, { state, token: 'mine' });
    deepStrictEqual(await asked('cancelled'), [undefined]);
    call.cut();
    let outcome: unknown;
    while (outcome === undefined) [outcome] = await asked('cancelled');
    deepStrictEqual([outcome, scene.upstream.calls.some((text) => text.includes('cancelled'))], ['withdrawn', false]);
  });

  test('[ASK1] a hub that is started anew between two rounds goes on with the same question', async () => {
    const state = await stateOf(send('{"text":"restarted"}'));
    const [inquiry] = await scene.asked('restarted');
    await scene.restart();
    await scene.decide(inquiry, APPROVE);
    const last = await (await send('{"text":"restarted"}', { state })).read();
    deepStrictEqual([last.result?.content?.[0]?.text, await asked('restarted')], ['noted restarted', ['answered']]);
  });

  test('[LIV4] [ASK5] a node with too much to do runs no call that it had to ask about, and lets those go on that wait', async (t) => {
    const args = '{"text":"waits in rounds"}';
    const state = await stateOf(send(args));
    const headers = {
      authorization: `Bearer ${scene.keys.source}`,
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    };
    const params = { name: 'note', arguments: { text: 'waits by its stream' }, _meta: { progressToken: 1 } };
    const call = await fetch(scene.gate('web'), {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    const { value } = await call.body!.getReader().read();
    const [, id = ''] = /^id: (.*)$/m.exec(Buffer.from(value ?? []).toString()) ?? [];
    await scene.asked('waits', 2);
    await scene.restart();
    const { enter } = scene.asks();
    t.after(() => void (scene.asks().enter = enter));
    scene.asks().enter = () => {
      throw new TooMany('hub.overloaded', 'Too much.', 3, 503);
    };
    const { result } = await (await send('{"text":"refused"}')).read();
    const text = 'The call was not run: nobody could be asked. Too much.';
    deepStrictEqual(result, { content: [{ type: 'text', text }], isError: true, resultType: 'complete' });
    const streamed = fetch(scene.gate('web'), { headers: { ...headers, 'last-event-id': id } });
    for (const inquiry of await scene.asked('waits')) await scene.decide(inquiry, APPROVE);
    const ended = [await (await streamed).text(), said((await (await send(args, { state })).read()).result ?? {})];
    deepStrictEqual(
      ended.map((one) => /noted waits (by its stream|in rounds)/.exec(one)?.[0]),
      ['noted waits by its stream', 'noted waits in rounds'],
    );
    deepStrictEqual(await scene.asked('refused', 0), []);
  });

  test('[APR1] the next round of an approved call does not pass once the approval has ended, whatever state it brings', async (t) => {
    // While its client asks for the name.
    const { call } = await connect(t, 'SDK 2, modern', scene.gate('web'), 'slow agent', () => scene.pass(60_000));
    const calling = decided(() => call('sign', { text: 'overdue' }));
    const [inquiry] = await scene.asked('overdue');
    await scene.decide(inquiry, APPROVE);
    const text = await calling;
    const { validUntil } = (await scene.asked('overdue'))[0]?.resolution ?? {};
    const ended = `Not decided: the approval ended at ${validUntil}, before it was used. Nothing was run.`;
    const ran = scene.upstream.calls.filter((sent) => sent.includes('overdue') && sent.includes('inputResponses'));
    deepStrictEqual([text, ran], [`${ended} Ask again if it is still needed.`, []]);
  });

  test('[APR2] a gate hands an approved call’s receipt to its upstream, in place of one that the client put there', async () => {
    await scene.put('signing', new URL(scene.upstream.url), { receipt: true });
    const args = '{"text":"signed for"}';
    const url = scene.gate('signing');
    const calling = decided(
      async (state) => (await (await send(args, { url, state, receipt: 'forged' })).read()).result,
    );
    await scene.decide((await scene.asked('signed for'))[0], { type: 'edit', argsText: '{"text":"signed for 1.0"}' });
    await calling;
    const sent = scene.upstream.calls.find((text) => text.includes('signed for')) ?? '{}';
    const { params } = JSON.parse(sent) as { params: { arguments: object; _meta: Record<string, string> } };
    const receipt = params._meta['dev.beckon/receipt'] ?? '';
    const keys = (await (await fetch(new URL('/.well-known/jwks.json', url))).json()) as { keys: object[] };
    const issuer = url.origin.replace('127.0.0.1', 'localhost');
    const wanted = { keys, issuer, tool: 'note', audience: scene.upstream.url };
    const { acr } = await verifyReceipt(receipt, { ...wanted, args: params.arguments });
    deepStrictEqual([params.arguments, acr], [{ text: 'signed for 1.0' }, 'person']);
    await rejects(verifyReceipt(receipt, { ...wanted, args }));
  });

  test('parallel calls of one turn stay one card over their rounds', async (t) => {
    const { call, states } = await connect(t, 'SDK 2, modern', scene.gate('web'));
    const calls = ['one', 'two', 'three'].map((part) => decided(() => call('note', { text: `turn ${part}` })));
    await scene.asked('turn ', 3);
    while (states().length < 6) await pause(5);
    const held = await scene.asked('turn ');
    deepStrictEqual([held.length, new Set(held.map(({ group }) => group)).size], [3, 1]);
    match(String(held[0]?.group), /^[0-9a-f]{32}$/);
    for (const inquiry of held) await scene.decide(inquiry, APPROVE);
    deepStrictEqual(await Promise.all(calls), ['noted turn one', 'noted turn two', 'noted turn three']);
  });
});

function rawCall(args: string, { state, name, token, receipt }: Raw): { body: string; of: string } {
  const own = receipt === undefined ? META : { ...META, 'dev.beckon/receipt': receipt };
  const meta = token === undefined ? own : { ...own, progressToken: token };
  const rest = `"_meta":${JSON.stringify(meta)}, "name":"${name}","arguments": ${args}`;
  const message = (params: string): string =>
    `{ "jsonrpc" : "2.0", "id": 7,\n "method":"tools/call","params":{${params}} }`;
  const of = message(rest);
  return { of, body: state === undefined ? of : message(`${rest},"requestState":${JSON.stringify(state)}`) };
}
