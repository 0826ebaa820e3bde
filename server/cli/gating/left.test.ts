import { deepStrictEqual } from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import type { HubClient } from '../command/hub-client.ts';
import { createBridge, type BridgeOptions } from './bridge.ts';
import type { WrappedGate } from './options.ts';

const GATE: WrappedGate = { name: 'shop', rules: [], otherwise: 'ask', elicitation: 'client', deadline: 600 };
const MODERN = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"},';

type Reply = { id: number; result?: Result; error?: { code: number } };
type Result = { resultType?: string; requestState?: string; isError?: boolean; content?: { text: string }[] };

/** A bridge whose calls wait for 20 ms at a time, before people who decide when the test says so. */
function scene(pace: BridgeOptions['pace'] = {}, gate: Partial<WrappedGate> = {}) {
  const asked: string[] = [];
  const withdrawn: string[] = [];
  const decisions = new Map<string, PromiseWithResolvers<Inquiry>>();
  const ran: string[] = [];
  const got: Reply[] = [];
  const hub: HubClient = {
    now: Date.now,
    async ask(ask) {
      const id = `inq_${asked.push(JSON.stringify((ask as Ask).actions?.[0]?.args))}`;
      decisions.set(id, Promise.withResolvers());
      return { id } as Inquiry;
    },
    async read(id, _seconds, signal) {
      const gone = Promise.withResolvers<never>();
      signal?.addEventListener('abort', () => gone.reject(signal.reason));
      return Promise.race([decisions.get(id)?.promise as Promise<Inquiry>, gone.promise]);
    },
    receipt: async () => 'jws',
    async withdraw(id, reason) {
      withdrawn.push(`${id} ${reason}`);
    },
  };
  const bridge = createBridge({
    gate: { ...GATE, ...gate },
    hub: async () => hub,
    cwd: '/home/ada',
    pace: { roundMs: 20, pendingMs: 20, graceMs: 60_000, ...pace },
    toClient: (line) => void got.push(JSON.parse(line.toString()) as Reply),
    say: () => {},
    toServer(line) {
      const { id, method } = JSON.parse(line.toString()) as { id: unknown; method?: string };
      if (method !== 'tools/list') return void ran.push(line.toString());
      const listed = JSON.stringify({ jsonrpc: '2.0', id, result: { tools: [] } });
      queueMicrotask(() => bridge.fromServer(Buffer.from(listed)));
    },
  });
  after(() => bridge.close());
  const until = async <T>(look: () => T | undefined): Promise<T> => {
    for (;;) {
      const seen = look();
      if (seen !== undefined) return seen;
      await new Promise((done) => setTimeout(done, 2));
    }
  };
  let count = 0;
  return {
    asked,
    withdrawn,
    ran,
    bridge,
    until,
    /** Sends a call; the result is what it is answered, or its line where that reached the server. */
    async call(args: string, more = '', meta = MODERN): Promise<Reply | string> {
      const id = ++count;
      bridge.fromClient(Buffer.from(line(id, args, more, meta)));
      return until(() => got.find((one) => one.id === id) ?? ran.find((text) => text.startsWith(`{"id":${id},`)));
    },
    decide(inquiry: string, ...all: object[]): void {
      const resolution = { outcome: 'answered', answer: { decisions: all } };
      decisions.get(inquiry)?.resolve({ id: inquiry, resolution } as Inquiry);
    },
  };
}

const line = (id: number, args: string, more = '', meta = MODERN): string =>
  `{"id":${id},"jsonrpc":"2.0","method":"tools/call","params":{${meta}"name":"pay","arguments":${args}${more}}}`;
const stateOf = (reply: Reply | string): string => String((reply as Reply).result?.requestState);
const withState = (reply: Reply | string): string => `,"requestState":"${stateOf(reply)}"`;
const saidBy = (reply: Reply | string): string => String((reply as Reply).result?.content?.[0]?.text);
const ARGS = '{ "euros":9007199254740993, "x":1.0 }';
const APPROVE = { type: 'approve' };

test('a modern call goes on in rounds with one question, and the server sees the call as it was first sent', async () => {
  const { call, decide, asked, withdrawn, ran } = scene();
  const first = await call(ARGS);
  const second = await call(ARGS, withState(first));
  deepStrictEqual([(first as Reply).result?.resultType, stateOf(first) === stateOf(second)], ['input_required', false]);
  decide('inq_1', APPROVE);
  deepStrictEqual(await call(ARGS, withState(second)), line(3, ARGS));
  deepStrictEqual([asked.length, withdrawn, ran.length], [1, [], 1]);
  // The approval is used up: each of the old states, and the call itself, is asked about anew.
  await call(ARGS, withState(second));
  await call(ARGS);
  deepStrictEqual([asked.length, ran.length], [2, 1]);
});

test('in the ninth round, or for an older client, the call returns in words, and the same call finds its question', async () => {
  const { call, decide, asked } = scene();
  const rounds: string[] = [];
  for (let reply = await call(ARGS); ; reply = await call(ARGS, withState(reply))) {
    rounds.push(String((reply as Reply).result?.resultType));
    if (rounds.at(-1) !== 'input_required') break;
  }
  deepStrictEqual(rounds, [...Array.from({ length: 8 }, () => 'input_required'), 'complete']);
  const older = await call(ARGS, '', '');
  deepStrictEqual(
    [saidBy(older).startsWith('A person has not decided about this call yet'), (older as Reply).result?.isError],
    [true, undefined],
  );
  decide('inq_1', APPROVE);
  deepStrictEqual([await call(ARGS, '', ''), asked.length], [line(11, ARGS, '', ''), 1]);
});

test('a state lets pass no other call, and no call with what no round was asked for', async () => {
  const { call, decide, ran, asked } = scene();
  const state = withState(await call(ARGS));
  decide('inq_1', APPROVE);
  const other = await call('{ "euros":9007199254740992, "x":1.0 }', state);
  deepStrictEqual([(other as Reply).error?.code, ran], [-32602, []]);
  const answered = await call(ARGS, `${state},"inputResponses":{}`);
  deepStrictEqual([(answered as Reply).error?.code, ran, asked.length], [-32602, [], 1]);
  deepStrictEqual(await call(ARGS, state), line(4, ARGS));
});

test('a server’s own state passes unchanged, and such a call returns in words', async () => {
  const { call, decide } = scene();
  const more = ',"requestState":"its own","inputResponses":{}';
  deepStrictEqual(saidBy(await call(ARGS, more)).startsWith('A person has not decided'), true);
  decide('inq_1', APPROVE);
  deepStrictEqual(await call(ARGS, more), line(2, ARGS, more));
});

test('a call that nobody comes back for is taken back after its grace, and when its client goes', async () => {
  const brief = scene({ graceMs: 20 });
  await brief.call(ARGS);
  deepStrictEqual(await brief.until(() => brief.withdrawn[0]), 'inq_1 Its client did not come back.');
  const { call, bridge, withdrawn } = scene();
  await call(ARGS);
  await bridge.close();
  deepStrictEqual(withdrawn, ['inq_1 Its client is gone.']);
});

test('a cancel in a later round takes the question back, and nothing runs', async () => {
  const { call, bridge, withdrawn, ran, until } = scene({}, {});
  const state = withState(await call(ARGS));
  const token = MODERN.replace('}', ',"progressToken":0}');
  bridge.fromClient(Buffer.from(line(77, ARGS, state, token)));
  bridge.fromClient(
    Buffer.from('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77,"reason":"Enough."}}'),
  );
  deepStrictEqual([await until(() => withdrawn[0]), ran], ['inq_1 Enough.', []]);
});

test('--wait bounds every call, and 0 none', async () => {
  const bounded = scene({ roundMs: 60_000, pendingMs: 60_000 }, { waitSeconds: 0.02 });
  deepStrictEqual(saidBy(await bounded.call(ARGS)).startsWith('A person has not decided'), true);
  const endless = scene({}, { waitSeconds: 0 });
  const calling = endless.call(ARGS);
  await bounded.call(ARGS);
  endless.decide('inq_1', APPROVE);
  deepStrictEqual(await calling, line(1, ARGS));
});
