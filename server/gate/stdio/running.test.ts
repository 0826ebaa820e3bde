import { deepStrictEqual, rejects } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import type { GateConfig } from '../gates.ts';
import type { Message } from './messages.ts';
import { createPrograms, TooManyPrograms } from './programs.ts';
import { createRunning, type Running, type RunningOptions } from './running.ts';
import { openSession } from './session.ts';
import { startShared } from './shared.ts';

// Answers each request with what it was sent, tells progress first, and dies when asked to.
const PROGRAM = `
  const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === 'die') process.exit(3);
    if (id === undefined || method === 'silence') return;
    const progressToken = params?._meta?.progressToken;
    if (progressToken !== undefined) say({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
    say({ method: 'notifications/nobody/asked', params: {} });
    say({ id: 99, method: 'sampling/createMessage', params: {} });
    console.log('{"jsonrpc":"2.0","id":' + id + ',"result":{"sent":' + line + ',"big":9007199254740993}}');
  });`;
const GATE: GateConfig = {
  name: 'echo',
  from: 'file',
  upstream: { command: process.execPath, args: ['-e', PROGRAM], env: {} },
  rules: [],
  otherwise: 'allow',
  elicitation: 'client',
  deadline: 60,
  changedAt: 0,
};
const log = pino({ level: 'silent' });

type Room = { limit?: number; share?: number };

function open(t: TestContext, room: Room, idleMs: RunningOptions['idleMs'] = {}, sweepMs = 5): Running {
  const running = createRunning({ programs: createPrograms({ log, ...room }), prefix: 'node', idleMs, sweepMs });
  t.after(() => running.stop());
  return running;
}

test('requests of different clients share a program, and each gets what is its own', async (t) => {
  const programs = createPrograms({ log });
  t.after(() => programs.stop());
  const shared = startShared(GATE, 'echo src', programs);
  const ask = (id: string | number, progressToken?: unknown): Promise<Message[]> =>
    new Promise((resolve) => {
      const heard: Message[] = [];
      const _meta = progressToken === undefined ? {} : { progressToken };
      shared.request({ jsonrpc: '2.0', id, method: 'work', params: { _meta } }, (message) => {
        heard.push(message);
        if (message.method === undefined) resolve(heard);
      });
    });
  const [first, second, third] = await Promise.all([ask(1, 'mine'), ask(1, 'mine'), ask('1')]);
  const brief = (messages: Message[]) =>
    messages.map(({ id, method, params }) => (method ? [method, params?.['progressToken']] : id));
  deepStrictEqual(
    [brief(first), brief(second), brief(third)],
    [[['notifications/progress', 'mine'], 1], [['notifications/progress', 'mine'], 1], ['1']],
  );
  deepStrictEqual(JSON.stringify(third[0]?.result?.['big']), '9007199254740993');
  const tokens = [first, second].map(
    (messages) => (messages[1]?.result?.['sent'] as Message | undefined)?.params?._meta,
  );
  deepStrictEqual(tokens, [{ progressToken: 1 }, { progressToken: 2 }]);
});

test('a program that dies ends what it was asked, and another one is started for what comes next', async (t) => {
  const running = open(t, {});
  const shared = await running.shared(GATE, 'echo src');
  const lost = new Promise<Message>((resolve) => shared.request({ id: 'a', method: 'silence' }, resolve));
  shared.notify({ jsonrpc: '2.0', method: 'die' });
  const { id, error } = await lost;
  deepStrictEqual(
    [id, error],
    [
      'a',
      {
        code: -32603,
        message: `The MCP server behind the gate "echo" is gone: "${process.execPath}" ended with code 3.`,
      },
    ],
  );
  deepStrictEqual((await running.shared(GATE, 'echo src')) === shared, false);
});

test('a gate runs no more programs than its limit, and an idle session makes room', async (t) => {
  const running = open(t, { limit: 2 }, { toMakeRoom: 1_000_000 });
  await running.open(GATE, 'echo a');
  await running.open(GATE, 'echo a');
  await rejects(running.open(GATE, 'echo b'), TooManyPrograms);
  await rejects(running.shared(GATE, 'echo b'), /runs 2 programs already, which is its limit/);

  const roomy = open(t, { limit: 2 }, { toMakeRoom: -1 });
  const [oldest, other] = [await roomy.open(GATE, 'echo a'), await roomy.open(GATE, 'echo a')];
  const newest = await roomy.open(GATE, 'echo b');
  deepStrictEqual(
    [roomy.find(oldest.id, 'echo a'), roomy.find(other.id, 'echo a'), roomy.find(newest.id, 'echo b')],
    [undefined, other, newest],
  );
  deepStrictEqual([roomy.find(newest.id, 'echo a'), newest.id.split('.')[0]], [undefined, 'node']);
});

test('one source has its share of a gate: above it an idle session of its own goes, or it is refused, and nobody else', async (t) => {
  const running = open(t, { share: 2 }, { toMakeRoom: -1 });
  const [first, second] = [await running.open(GATE, 'echo a'), await running.open(GATE, 'echo a')];
  const other = await running.open(GATE, 'echo b');
  const third = await running.open(GATE, 'echo a');
  deepStrictEqual(
    [first, second, third].map(({ id }) => running.find(id, 'echo a')),
    [undefined, second, third],
  );
  second.streams(1);
  third.streams(1);
  await rejects(running.open(GATE, 'echo a'), /This source runs 2 programs behind the gate "echo" already/);
  await rejects(running.shared(GATE, 'echo a'), TooManyPrograms);
  await running.shared(GATE, 'echo b');
  deepStrictEqual(running.find(other.id, 'echo b'), other);
});

// Lines that are no messages, or messages that nobody can have meant.
const ODD = [
  '\0 garbage',
  '[1,2]',
  '[[{"id":1}]]',
  'null',
  '7',
  '"text"',
  '{}',
  '{"id":null}',
  '{"id":{}}',
  '{"id":99999}',
  '{"jsonrpc":"2.0","method":5,"id":"x"}',
  '{"method":{},"params":7}',
  '{"method":"notifications/progress","params":null}',
  '{"method":"notifications/progress","params":{"progressToken":{}}}',
  '{"method":"notifications/message","params":[1]}',
  '{"method":"notifications/cancelled","params":"x"}',
  '{"method":"x/y","params":{"_meta":5}}',
  '{"method":"x/y","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":{}}}}',
  `{"method":"notifications/message","params":{"deep":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`,
  '{"method":"notifications/tools/list_changed","params":{"x":1e999,"y":-0,"__proto__":{"z":1}}}',
];
// Says them all when it is called, and then "answer" with the id of the call.
const ODD_PROGRAM = (answer: string) => `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (method === 'initialize')
      console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'odd', version: '1' } } }));
    if (method !== 'work') return;
    for (const odd of ${JSON.stringify(ODD)}) console.log(odd);
    console.log(${JSON.stringify(answer)}.replace('ID', JSON.stringify(id)));
  });`;
const gateOf = (answer: string): GateConfig => ({
  ...GATE,
  upstream: { command: process.execPath, args: ['-e', ODD_PROGRAM(answer)], env: {} },
});

test('whatever a program says, its hub goes on and a call gets an answer', async (t) => {
  const warned: unknown[] = [];
  const programs = createPrograms({ log: pino({ level: 'warn' }, { write: (line) => void warned.push(line) }) });
  t.after(() => programs.stop());
  const error = { code: -32603, message: 'The MCP server behind the gate "echo" gave an answer that is none.' };
  const answered = (answer: string): Promise<Message> => {
    const shared = startShared(gateOf(answer), 'echo src', programs);
    return new Promise((resolve) =>
      shared.request({ jsonrpc: '2.0', id: 'a', method: 'work' }, (message) => {
        if (message.method === undefined) resolve(message);
      }),
    );
  };
  const good = await answered('{"jsonrpc":"2.0","id":ID,"result":{"done":true}}');
  deepStrictEqual(good, { jsonrpc: '2.0', id: 'a', result: { done: true } });
  const bad = ['{"jsonrpc":"2.0","id":ID,"result":5}', '{"id":ID}', '{"jsonrpc":"2.0","id":ID,"error":null}'];
  for (const answer of bad) {
    deepStrictEqual(await answered(answer), { jsonrpc: '2.0', id: 'a', error });
    const session = openSession({ gate: gateOf(answer), owner: 'o', prefix: 'n', programs, onClosed: () => {} });
    const post = async (message: object, more: Record<string, string> = {}): Promise<string> => {
      const accept = 'application/json, text/event-stream';
      const headers = { accept, 'content-type': 'application/json', ...more };
      const request = new Request('http://program/', { method: 'POST', headers });
      return (await session.handle(request, { jsonrpc: '2.0', ...message })).text();
    };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
    await post({ id: 0, method: 'initialize', params });
    const text = await post({ id: 7, method: 'work' }, { 'mcp-session-id': session.id });
    deepStrictEqual(JSON.parse(/^data: (.*"id":7.*)$/m.exec(text)?.[1] ?? text), { jsonrpc: '2.0', id: 7, error });
    deepStrictEqual(typeof session.idleSince(), 'number');
    await session.close();
  }
  deepStrictEqual(warned, []);

  const unforeseen = programs.start(gateOf(''), 'echo src', () => {
    throw new TypeError('unforeseen');
  });
  unforeseen.send('{"method":"work"}');
  await unforeseen.end();
  deepStrictEqual(warned.length > 0, true);
});

test('what nobody uses ends', async (t) => {
  const running = open(t, {}, { session: -1, shared: -1 }, 1);
  const session = await running.open(GATE, 'echo a');
  const shared = await running.shared(GATE, 'echo a');
  await shared.ended;
  while (running.find(session.id, 'echo a')) await turn();
});
