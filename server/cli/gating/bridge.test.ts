import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import type { HubClient } from '../command/hub-client.ts';
import { createBridge } from './bridge.ts';
import type { WrappedGate } from './options.ts';

const GATE: WrappedGate = { name: 'shop', rules: [], otherwise: 'ask', elicitation: 'client', deadline: 60 };

/** A bridge before a server without tools, whose people decide every call this way. */
function scene(decision: object | undefined, gate: Partial<WrappedGate> = {}, tools: unknown = [null, 5, { name: 7 }]) {
  const asked: Ask[] = [];
  const toServer: string[] = [];
  const toClient: string[] = [];
  const said: string[] = [];
  const answered = decision && { outcome: 'answered', answer: { decisions: [decision] } };
  const hub: HubClient = {
    now: Date.now,
    ask: async (ask) => {
      asked.push(ask as Ask);
      return { id: 'inq_1', ...ask, resolution: answered } as unknown as Inquiry;
    },
    read: (_id, _seconds, signal) => new Promise((_never, reject) => signal.addEventListener('abort', reject)),
    withdraw: async () => {},
    receipt: async () => 'jws',
  };
  const bridge = createBridge({
    gate: { ...GATE, ...gate },
    hub: async () => hub,
    cwd: '/home/ada',
    toClient: (line) => void toClient.push(line.toString()),
    say: (sentence) => void said.push(sentence),
    toServer(line) {
      const { id, method } = JSON.parse(line.toString()) as { id?: unknown; method?: string };
      if (method !== 'tools/list') return void toServer.push(line.toString());
      const listed = JSON.stringify({ jsonrpc: '2.0', id, result: { tools } });
      queueMicrotask(() => bridge.fromServer(Buffer.from(listed)));
    },
  });
  const passed = async (line: string | Buffer): Promise<string[]> => {
    const before = toServer.length + toClient.length;
    bridge.fromClient(Buffer.from(line));
    while (toServer.length + toClient.length === before) await new Promise((done) => setImmediate(done));
    return toServer.splice(0);
  };
  const argsShown = (): unknown[] => asked.splice(0).map(({ actions }) => actions?.[0]?.args);
  return { bridge, passed, argsShown, toClient, toServer, said };
}

const call = (params: string, before = ''): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call",${before}"params":{"name":"pay",${params}}}`;

test('[APR2] with receipts a call that people approved carries its own, whatever its client put there, and no other does', async () => {
  const forged = call('"arguments":{"euros":5},"_meta":{"dev.beckon/receipt":"forged","n":1.0}');
  const own = forged.replace('forged', 'jws');
  const receipt = { receipt: true };
  deepStrictEqual(await scene({ type: 'approve' }, receipt).passed(forged), [own]);
  const edited = await scene({ type: 'edit', args: { euros: 6 } }, receipt).passed(call('"arguments":{"euros":5}'));
  deepStrictEqual(
    edited.map((line) => JSON.parse(line).params),
    [{ name: 'pay', arguments: { euros: 6 }, _meta: { 'dev.beckon/receipt': 'jws' } }],
  );
  deepStrictEqual(await scene({ type: 'approve' }).passed(forged), [forged]);
  deepStrictEqual(await scene({ type: 'reject' }, receipt).passed(forged), []);
});

test('a long number hides no arguments: they are shown, and what is edited takes their place', async () => {
  const long = `"x":${'1'.repeat(1500)},`;
  const lines = [call(`${long}"arguments":{"euros":5}`), call('"arguments":{"euros":5}', long)];
  const approving = scene({ type: 'approve' });
  const editing = scene({ type: 'edit', args: { euros: 6 } });
  for (const line of lines) {
    deepStrictEqual(await approving.passed(line), [line]);
    deepStrictEqual(await editing.passed(line), [line.replace('{"euros":5}', '{"euros":6}')]);
  }
  deepStrictEqual(approving.argsShown(), [{ euros: 5 }, { euros: 5 }]);
});

test('what another program may take for a call does not pass', async () => {
  const { passed, argsShown, toClient } = scene({ type: 'approve' });
  const lines = [
    call('"arguments":{},"argument\u017f":{}'),
    call('"arguments":{}').replace(/\}$/, ',"param\u017f":{"name":"drop"}}'),
    `[[${call('"arguments":{}')}]]`,
    Buffer.from(call('"arguments":{"a":"\u00ff"}'), 'latin1'),
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'['.repeat(200)}${']'.repeat(200)}}`,
    call('"arguments":{}').replace('tools/call', 'tools/call\\u0000'),
    call('"arguments":{}').replace('tools/call', 'Tools/Call'),
    call('"arguments":{}').replace('"method":', '"method":"ping","method\\u0000":'),
    call('"arguments":{}').replace('"pay"', '"pay\\u0000"'),
  ];
  for (const line of lines) deepStrictEqual(await passed(line), []);
  deepStrictEqual(argsShown(), []);
  deepStrictEqual(
    toClient.map((line) => (JSON.parse(line) as { error: { code: number } }).error.code),
    [-32600, -32600, -32600, -32700, -32600, -32600, -32600, -32600, -32602],
  );
});

test('whatever a server calls its tools, a call is asked with caution', async () => {
  const odd: unknown[] = [
    null,
    5,
    { pay: {} },
    [null],
    [[]],
    [{ name: 'pay', description: 5, inputSchema: 5 }],
    [{ name: 'pay', annotations: { readOnlyHint: 'yes' }, inputSchema: null, outputSchema: 7 }],
  ];
  for (const tools of odd) {
    const { passed, argsShown } = scene({ type: 'approve' }, { otherwise: 'annotations' }, tools);
    const line = call('"arguments":{"a":1}');
    deepStrictEqual([await passed(line), argsShown()], [[line], [{ a: 1 }]], JSON.stringify(tools));
  }
});

test('what is no message and no list of messages reaches nobody', async () => {
  const { passed, toClient, toServer, bridge } = scene({ type: 'approve' });
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const lines = ['[[]]', `[${ping},[${ping}]]`, `[${ping},7]`, 'null', '5', '"text"', `[${call('"arguments":{}')}]`];
  for (const line of lines) deepStrictEqual(await passed(line), [], line);
  deepStrictEqual(await passed(`[${ping},${ping}]`), [`[${ping},${ping}]`]);
  const codes = toClient.splice(0).map((line) => (JSON.parse(line) as { error: { code: number } }).error.code);
  deepStrictEqual([new Set(codes), codes.length], [new Set([-32600]), 9]);
  // What a server says may be anything: it is for its client to read.
  for (const line of ['null', '[[1]]', 'garbage', '{"id":1}', '{"method":"notifications/progress","params":7}'])
    bridge.fromServer(Buffer.from(line));
  deepStrictEqual([toClient.length, toServer], [5, []]);
});

test('an unforeseen error lets no call pass and ends nothing', async () => {
  const rules = new Proxy([], {
    get() {
      throw new TypeError('unforeseen');
    },
  });
  const { passed, toClient, bridge } = scene({ type: 'approve' }, { rules });
  deepStrictEqual(await passed(call('"arguments":{}')), []);
  const { result } = JSON.parse(toClient.at(-1) ?? '') as { result: { isError: boolean } };
  deepStrictEqual(result.isError, true);
  await bridge.close();
});

test('a server that asks without end asks people eight things at once', async () => {
  const { bridge, toServer, toClient } = scene({ type: 'approve' }, { elicitation: 'people' });
  const params = { message: 'Again?', requestedSchema: { type: 'object', properties: {} } };
  for (const id of [1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    bridge.fromServer(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method: 'elicitation/create', params })));
  const error = {
    code: -32603,
    message: 'No more than 8 questions may wait for people at once here, nor 64 come in one stream.',
  };
  deepStrictEqual(
    toServer.map((line) => JSON.parse(line) as unknown),
    [9, 10].map((id) => ({ jsonrpc: '2.0', id, error })),
  );
  deepStrictEqual(toClient, []);
  await bridge.close();
});

test('a client is told once, beside its result, with which arguments of a person its call ran', async () => {
  const { passed, bridge, toClient } = scene({ type: 'edit', argsText: '{"euros":6.0}' });
  const paid = '{"jsonrpc":"2.0", "id":1,"result":{"n":1.50,"content":[{"type":"text","text":"paid"}]}}';
  const told = paid.replace(
    '}]',
    String.raw`},{"type":"text","text":"A person changed the arguments before this ran: {\"euros\":6.0}"}]`,
  );
  const others = [
    '{"jsonrpc":"2.0","method":"notifications/message","params":{}}',
    '{"jsonrpc":"2.0","id":"1","result":{"content":[]}}',
  ];
  const failed = '{"jsonrpc":"2.0", "id":1,"error":{"code":-32000,"message":"no"}}';
  const sent = call('"arguments":{"euros":5}');
  const heard = (...lines: string[]): string[] => {
    for (const one of lines) bridge.fromServer(Buffer.from(one));
    return toClient.splice(0);
  };
  await passed(sent);
  deepStrictEqual(heard(...others, paid, paid), [...others, told, paid]);
  await passed(sent);
  deepStrictEqual(heard(failed, paid), [failed, paid]);
  await passed(sent);
  bridge.fromClient(line({ method: 'notifications/cancelled', params: { requestId: 1 } }));
  deepStrictEqual(heard(paid), [paid]);
  await bridge.close();
});

test('a client whose people answered a question of the server hears of the changed arguments too', async () => {
  const edit = { outcome: 'answered', answer: { decisions: [{ type: 'edit', argsText: '{"euros":6}' }] } };
  const { passed, bridge, toClient, toServer } = scene(edit.answer.decisions[0], { elicitation: 'people' });
  await passed(call('"arguments":{"euros":5},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}'));
  const requestedSchema = { type: 'object', properties: {} };
  const inputRequests = { which: { method: 'elicitation/create', params: { message: 'Which?', requestedSchema } } };
  bridge.fromServer(line({ id: 1, result: { resultType: 'input_required', inputRequests } }));
  while (toServer.length === 0) await new Promise((done) => setImmediate(done));
  const { id } = JSON.parse(toServer[0] ?? '') as { id: string };
  bridge.fromServer(line({ id, result: { content: [] } }));
  const text = 'A person changed the arguments before this ran: {"euros":6}';
  deepStrictEqual(toClient, [line({ id: 1, result: { content: [{ type: 'text', text }] } }).toString()]);
  await bridge.close();
});

const line = (message: object): Buffer => Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));

test('[RES5] what a client answers in the place of people reaches no server', async () => {
  const { bridge, toServer, toClient, said } = scene(undefined, { elicitation: 'people', otherwise: 'allow' });
  const params = { message: 'Which?', requestedSchema: { type: 'object', properties: {} } };
  for (const id of [0, 'a']) bridge.fromServer(line({ id, method: 'elicitation/create', params }));
  const forged = { result: { action: 'accept', content: {} } };
  for (const id of [0, 1, '0', 'a']) bridge.fromClient(line({ id, ...forged }));
  bridge.fromClient(Buffer.from(`[${line({ id: 0, ...forged }).toString()}]`));
  bridge.fromClient(line({ id: 0, method: 'ping', ...forged }));
  deepStrictEqual([toServer, said.length], [[], 4]);
  deepStrictEqual(
    toClient.splice(0).map((one) => (JSON.parse(one) as { error: { code: number } }).error.code),
    [-32600, -32600],
  );

  // What the client itself is asked has another id for it than for the server.
  bridge.fromServer(line({ id: 7, method: 'sampling/createMessage', params: {} }));
  const { id } = JSON.parse(toClient.splice(0)[0] ?? '') as { id: string };
  for (const one of [7, id, `${id}x`]) bridge.fromClient(line({ id: one, result: { x: 1 } }));
  deepStrictEqual([toServer.splice(0), id.length > 36], [[line({ id: 7, result: { x: 1 } }).toString()], true]);

  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  bridge.fromClient(
    line({ id: 3, method: 'prompts/get', params: { name: 'p', inputResponses: { a: forged.result }, _meta: meta } }),
  );
  const passed = JSON.parse(toServer[0] ?? '') as { params: object };
  const _meta = { ...meta, 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {}, url: {} } } };
  deepStrictEqual(passed.params, { name: 'p', _meta });
  const inputRequests = { name: { method: 'elicitation/create', params }, words: { method: 'sampling/createMessage' } };
  bridge.fromServer(line({ id: 3, result: { resultType: 'input_required', inputRequests } }));
  const refused = 'The MCP server asks its client for more than people can answer in its place.';
  deepStrictEqual(JSON.parse(toClient.at(-1) ?? ''), {
    jsonrpc: '2.0',
    id: 3,
    error: { code: -32603, message: refused },
  });
  await bridge.close();
});
