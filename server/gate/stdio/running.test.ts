import { deepStrictEqual, rejects } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import type { GateConfig } from '../gates.ts';
import type { Message } from './messages.ts';
import { createPrograms, TooManyPrograms } from './programs.ts';
import { createRunning, type Running, type RunningOptions } from './running.ts';
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

function open(t: TestContext, limit: number, idleMs: RunningOptions['idleMs'] = {}, sweepMs = 5): Running {
  const running = createRunning({ programs: createPrograms({ log, limit }), prefix: 'node', idleMs, sweepMs });
  t.after(() => running.stop());
  return running;
}

test('requests of different clients share a program, and each gets what is its own', async (t) => {
  const programs = createPrograms({ log });
  t.after(() => programs.stop());
  const shared = startShared(GATE, programs);
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
  const running = open(t, 9);
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
  const running = open(t, 2, { toMakeRoom: 1_000_000 });
  await running.open(GATE, 'echo a');
  await running.open(GATE, 'echo a');
  await rejects(running.open(GATE, 'echo b'), TooManyPrograms);
  await rejects(running.shared(GATE, 'echo b'), /runs 2 programs already, which is its limit/);

  const roomy = open(t, 2, { toMakeRoom: -1 });
  const [oldest, other] = [await roomy.open(GATE, 'echo a'), await roomy.open(GATE, 'echo a')];
  const newest = await roomy.open(GATE, 'echo b');
  deepStrictEqual(
    [roomy.find(oldest.id, 'echo a'), roomy.find(other.id, 'echo a'), roomy.find(newest.id, 'echo b')],
    [undefined, other, newest],
  );
  deepStrictEqual([roomy.find(newest.id, 'echo a'), newest.id.split('.')[0]], [undefined, 'node']);
});

test('what nobody uses ends', async (t) => {
  const running = open(t, 9, { session: -1, shared: -1 }, 1);
  const session = await running.open(GATE, 'echo a');
  const shared = await running.shared(GATE, 'echo a');
  await shared.ended;
  while (running.find(session.id, 'echo a')) await turn();
});
