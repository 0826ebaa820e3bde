import { deepStrictEqual, match, ok } from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { must } from '../hub/call.ts';
import { startHub, type Hub } from '../hub/hub.ts';
import { addSource, ownerDevice, type Device } from '../hub/people.ts';
import { until } from '../hub/until.ts';
import { asked, decide } from './people.ts';
import { call, CHILD, INITIALIZE, runs, startWrapped, textOf, type Wrapped } from './wrapped.ts';

const BOB = '{"to":"bob", "amount":1.0e2,"ref":9007199254740993}';

describe('beckon gate before a local server', { timeout: 120_000 }, () => {
  let hub: Hub;
  let owner: Device;
  let key: string;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'beckon-gate-'));
    hub = await startHub();
    owner = await ownerDevice(hub);
    ({ key } = await addSource(hub, owner, 'Coder'));
  });
  after(async () => {
    await hub?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const environment = (more: Record<string, string> = {}) => ({ BECKON_URL: hub.url, BECKON_KEY: key, ...more });
  async function open(t: TestContext, options: string[] = [], more: Record<string, string> = {}): Promise<Wrapped> {
    const wrapped = startWrapped(options, CHILD.echo, environment(more));
    t.after(async () => {
      wrapped.closeInput();
      await wrapped.ended;
    });
    wrapped.send(INITIALIZE);
    await wrapped.reply(0);
    return wrapped;
  }
  const read = (id: string) => must<Inquiry>(hub, `GET /v1/inquiries/${id}`, { token: key });
  const record = () => join(folder, `${Math.random()}`);
  const recorded = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

  test('an approved call reaches the server as the very bytes that the client wrote', async (t) => {
    const wrapped = await open(t);
    const line = call(7, 'pay', BOB).replace('"id"', ' "id"');
    wrapped.send(line);
    const [inquiry] = await asked(hub, owner);
    const {
      id: _id,
      digest: _digest,
      openedAt,
      deadlineAt,
      latestAt,
      revision: _one,
      reach: _reach,
      ...rest
    } = inquiry;
    deepStrictEqual(rest, {
      title: 'echo: pay',
      actions: [
        {
          name: 'pay',
          args: { to: 'bob', amount: 100, ref: 9007199254740992 },
          description: 'Sends money',
          argsSchema: {
            type: 'object',
            properties: { to: { type: 'string', minLength: 3 }, amount: { type: 'number' } },
          },
          allowed: ['approve', 'edit', 'reject', 'respond'],
          caution: true,
        },
      ],
      argsText: ['{"to":"bob","amount":1.0e2,"ref":9007199254740993}'],
      validFor: 60,
      to: ['owner'],
      group: inquiry.group,
      context: { agent: 'Line client', cwd: process.cwd() },
      state: 'open',
      source: inquiry.source,
    });
    deepStrictEqual([deadlineAt, Date.parse(deadlineAt) - Date.parse(openedAt)], [latestAt, 3_600_000]);
    await decide(hub, owner, inquiry, { type: 'approve' });
    deepStrictEqual(textOf(await wrapped.reply(7)), line);
  });

  test('an edit reaches the server with the edited arguments, fitting the schema, and all else as it was', async (t) => {
    const wrapped = await open(t);
    wrapped.send(call(1, 'pay', BOB, ',"_meta":{"x":1.50}'));
    const [inquiry] = await asked(hub, owner);
    const edit = (argsText: string) => decide(hub, owner, inquiry, { type: 'edit', argsText });
    await edit('{"to":"x"}').then(
      () => ok(false),
      (error: Error) => match(error.message, /\/decisions\/0\/args\/to/),
    );
    await edit('{"to":"carol","amount":12345678901234567890}');
    deepStrictEqual(
      textOf(await wrapped.reply(1)),
      call(1, 'pay', '{"to":"carol","amount":12345678901234567890}', ',"_meta":{"x":1.50}'),
    );
  });

  test('[RES4] reject and respond answer in the server’s place, which sees nothing', async (t) => {
    const file = record();
    const wrapped = await open(t, [], { RECORD: file });
    wrapped.send(call(1, 'pay', BOB));
    await decide(hub, owner, (await asked(hub, owner))[0], { type: 'reject', message: 'Not to Bob.' });
    const rejected = await wrapped.reply(1);
    wrapped.send(call(2, 'pay', BOB));
    await decide(hub, owner, (await asked(hub, owner))[0], { type: 'respond', message: 'Paid in cash.' });
    const responded = await wrapped.reply(2);
    deepStrictEqual(
      [rejected.result?.isError, textOf(rejected), responded.result?.isError, textOf(responded)],
      [true, 'A person rejected this call; it was not run. Their words: Not to Bob.', undefined, 'Paid in cash.'],
    );
    ok(!recorded(file).includes('tools/call'));
  });

  test('[APR2] with --receipt an approved call carries a receipt that its server verifies offline', async (t) => {
    const wrapped = await open(t, ['--receipt']);
    wrapped.send(call(1, 'pay', BOB));
    await decide(hub, owner, (await asked(hub, owner))[0], { type: 'approve' });
    const { params } = JSON.parse(textOf(await wrapped.reply(1)) ?? '') as {
      params: { _meta: Record<string, string> };
    };
    const receipt = params._meta['dev.beckon/receipt'] ?? '';
    const keys = await must<object>(hub, 'GET /.well-known/jwks.json');
    const client = await (await fetch(`${hub.url}/client/receipt.mjs`)).text();
    const { verifyReceipt } = (await import(`data:text/javascript,${encodeURIComponent(client)}`)) as {
      verifyReceipt(receipt: string, by: object): Promise<{ acr: string }>;
    };
    const issuer = hub.url.replace('127.0.0.1', 'localhost');
    const { acr } = await verifyReceipt(receipt, { keys, issuer, tool: 'pay', args: BOB });
    deepStrictEqual(acr, 'person');
  });

  test('what rules and annotations let pass is not asked, what they deny is refused', async (t) => {
    const wrapped = await open(t, ['--deny', 'pa*', '--allow', 'pay']);
    wrapped.send(call(1, 'look', '{}'));
    wrapped.send(call(2, 'pay', BOB));
    deepStrictEqual(textOf(await wrapped.reply(1)), call(1, 'look', '{}'));
    deepStrictEqual(textOf(await wrapped.reply(2)), 'Calls of pay are not allowed here.');
    const other = await open(t, ['--allow', 'pay', '--deny', 'pa*']);
    other.send(call(3, 'pay', BOB));
    deepStrictEqual(textOf(await other.reply(3)), call(3, 'pay', BOB));
  });

  test('calls of one turn are one card, and each goes on when it is decided', async (t) => {
    const wrapped = await open(t);
    for (const id of [1, 2, 3]) wrapped.send(call(id, 'pay', `{"to":"bob","amount":${id}}`));
    const inquiries = await asked(hub, owner, 3);
    deepStrictEqual(new Set(inquiries.map(({ group }) => group)).size, 1);
    const amount = (inquiry: Inquiry) => (inquiry.actions?.[0]?.args as { amount?: number } | undefined)?.amount;
    for (const want of [3, 1]) {
      const inquiry = inquiries.find((one) => amount(one) === want);
      if (inquiry) await decide(hub, owner, inquiry, { type: 'approve' });
      deepStrictEqual(textOf(await wrapped.reply(want)), call(want, 'pay', `{"to":"bob","amount":${want}}`));
    }
    deepStrictEqual((await asked(hub, owner)).map(amount), [2]);
    await decide(hub, owner, (await asked(hub, owner))[0], { type: 'reject' });
    await wrapped.reply(2);
  });

  test('[WDR1] a cancelled call is taken back, and the server never hears of it', async (t) => {
    const file = record();
    const wrapped = await open(t, [], { RECORD: file });
    wrapped.send(call(1, 'pay', BOB));
    const [{ id }] = await asked(hub, owner);
    wrapped.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"No longer."}}');
    const resolution = await until('the withdrawal', async () => (await read(id)).resolution);
    deepStrictEqual([resolution.outcome, resolution.message], ['withdrawn', 'No longer.']);
    wrapped.send('{"jsonrpc":"2.0","id":2,"method":"ping"}');
    await wrapped.reply(2);
    deepStrictEqual(
      [wrapped.got.some((reply) => reply.id === 1), /tools\/call|cancelled/.test(recorded(file))],
      [false, false],
    );
  });

  test('a client that leaves takes back what it waits for, and nothing stays behind', async (t) => {
    const wrapped = await open(t, [], { IGNORE_END: '1' });
    const pid = await wrapped.childPid();
    wrapped.send(call(1, 'pay', BOB));
    const [{ id }] = await asked(hub, owner);
    wrapped.closeInput();
    deepStrictEqual([await wrapped.ended, runs(pid)], [137, false]);
    deepStrictEqual((await read(id)).resolution?.outcome, 'withdrawn');
  });

  test('[ASK2] a hub that restarts in the middle loses nothing', async (t) => {
    const wrapped = await open(t);
    wrapped.send(call(1, 'pay', BOB));
    await asked(hub, owner);
    await hub.kill();
    await hub.start();
    const [inquiry] = await asked(hub, owner);
    await decide(hub, owner, inquiry, { type: 'approve' });
    deepStrictEqual(textOf(await wrapped.reply(1)), call(1, 'pay', BOB));
  });

  test('a held call with a progress token gives signs of life', async (t) => {
    const wrapped = await open(t);
    wrapped.send(call(1, 'pay', BOB, ',"_meta":{"progressToken":"p"}'));
    const [inquiry] = await asked(hub, owner);
    const frame = await until('a frame', () => wrapped.got.find(({ method }) => method === 'notifications/progress'));
    deepStrictEqual(frame.params, { progressToken: 'p', progress: 0.000001, message: 'Waiting for a person' });
    await decide(hub, owner, inquiry, { type: 'approve' });
    await wrapped.reply(1);
  });

  test('what the server tells on its way passes in its order', async (t) => {
    const wrapped = startWrapped([], CHILD.modern, environment());
    t.after(async () => {
      wrapped.closeInput();
      await wrapped.ended;
    });
    wrapped.send(INITIALIZE);
    await wrapped.reply(0);
    wrapped.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    wrapped.send(call(1, 'count', '{}', ',"_meta":{"progressToken":"p"}'));
    await wrapped.reply(1);
    deepStrictEqual(
      wrapped.got.slice(1).map(({ method, params, result }) => [method, params?.['progress'], result?.content]),
      [
        ...[1, 2, 3].map((progress) => ['notifications/progress', progress, undefined]),
        [undefined, undefined, [{ type: 'text', text: 'counted' }]],
      ],
    );
  });

  test('a line that can be read in two ways, or is no JSON, reaches nobody', async (t) => {
    const file = record();
    const wrapped = await open(t, [], { RECORD: file });
    const odd: [id: number | null, line: string][] = [
      [1, '{"jsonrpc":"2.0","id":1,"method":"tools/call","method":"ping","params":{"name":"pay"}}'],
      [2, '{"jsonrpc":"2.0","id":2,"method":"ping","Method":"tools/call","params":{"name":"pay"}}'],
      [3, '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"look","Name":"pay"}}'],
      [4, '{"jsonrpc":"2.0","id":4,"method":"ping","params":\r{"method":"tools/call"}\r}'],
      [5, '[{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"pay"}}]'],
      [6, '{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":["pay"]}}'],
      [null, '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"pay","arguments":NaN}}'],
    ];
    for (const [id, line] of odd) {
      wrapped.send(line);
      const { error } = await wrapped.reply(id);
      ok(error, line);
      match(error.message, /\(beckon gate\)$/);
    }
    wrapped.send('{"jsonrpc":"2.0","method":"tools/call","params":{"name":"pay"}}');
    wrapped.send('{"jsonrpc":"2.0","id":8,"method":"ping"}');
    await wrapped.reply(8);
    deepStrictEqual(recorded(file).trim().split('\n'), [INITIALIZE, '{"jsonrpc":"2.0","id":8,"method":"ping"}']);
  });

  test('its exit code is the server’s, and what ends the server ends it', async (t) => {
    const wrapped = await open(t);
    wrapped.send(call(1, 'die', '{}'));
    deepStrictEqual(await wrapped.ended, 7);
    const other = await open(t);
    const pid = await other.childPid();
    other.signal('SIGTERM');
    deepStrictEqual([await other.ended, runs(pid)], [143, false]);
    const missing = startWrapped([], ['/nowhere/server'], environment());
    deepStrictEqual(
      [await missing.ended, missing.err()],
      [127, '"/nowhere/server" cannot be started: there is no such program.\n'],
    );
  });
});
