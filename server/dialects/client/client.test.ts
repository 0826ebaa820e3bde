import { deepStrictEqual, match, ok, rejects, strictEqual } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openPlace } from '../../inquiries/testing/place.ts';
import { openScene, type Scene } from '../testing/scene.ts';
import { ask, AskError, reply, start, withdraw } from './beckon.mjs';

type End = { reply: unknown } | { refused: [status: number, code: string | undefined, paths: string[]] } | 'left';
type Hub = { url: string; apiKey: string };
type Client = (hub: Hub, body: unknown, giveUpSeconds?: number) => { end: Promise<End>; leave(): void };

const JS: Client = (hub, body, giveUpSeconds = 300) => {
  const left = new AbortController();
  const end = ask('trial', body, { ...hub, signal: left.signal, giveUpMs: giveUpSeconds * 1000 }).then(
    (given): End => ({ reply: given }),
    (error: unknown): End => {
      if (left.signal.aborted) return 'left';
      ok(error instanceof AskError);
      return { refused: [error.status, error.code, error.faults.map(({ path }) => path)] };
    },
  );
  return { end, leave: () => left.abort() };
};

const PROGRAM = `
import json, signal, sys
from beckon import ask, AskError
# A program that a shell started in the background inherits that this signal is ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    print(json.dumps({"reply": ask("trial", sys.argv[1], give_up=float(sys.argv[2]))}))
except AskError as error:
    print(json.dumps({"refused": [error.status, error.code, [one["path"] for one in error.faults]]}))
except KeyboardInterrupt:
    print('"left"')
`;

const PYTHON: Client = ({ url, apiKey }, body, giveUpSeconds = 300) => {
  const env = { ...process.env, BECKON_URL: url, BECKON_KEY: apiKey, PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn('python3', ['-c', PROGRAM, JSON.stringify(body), `${giveUpSeconds}`], {
    cwd: import.meta.dirname,
    env,
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (out += data.toString()));
  child.stderr.on('data', (data: Buffer) => (err += data.toString()));
  const end = new Promise<End>((resolve, reject) => {
    child.on('close', () => (out === '' ? reject(new Error(err)) : resolve(JSON.parse(out) as End)));
  });
  return { end, leave: () => void child.kill('SIGINT') };
};

const body = (more: object = {}) => ({ calls: [{ id: 'call_0', name: 'send', args: { to: 'ann' }, ...more }] });

async function openHub(t: TestContext): Promise<Scene & { hub: Hub }> {
  const { place, close } = await openPlace();
  t.after(close);
  const scene = await openScene(t, place);
  return { ...scene, hub: { url: `${scene.node.url}/`, apiKey: scene.key } };
}

for (const [name, client] of Object.entries({ 'beckon.mjs': JS, 'beckon.py': PYTHON })) {
  test(`[DIA1] ${name} returns what people decided, and asks again for another call`, async (t) => {
    const s = await openHub(t);
    for (const [decision, runs] of [
      ['approve', 'runs'],
      ['reject', 'rejected'],
    ] as const) {
      const { end } = client(s.hub, body());
      const [inquiry] = await s.open(1);
      await s.decide(inquiry!, decision);
      deepStrictEqual(await end, { reply: { runs: [['call_0', runs]] } });
    }
  });

  test(`[RES4] ${name} throws a problem that comes in place of a reply`, async (t) => {
    const s = await openHub(t);
    const { end } = client(s.hub, body({ noWay: true }));
    const [inquiry] = await s.open(1);
    await s.answer(inquiry!, { outcome: 'declined' });
    deepStrictEqual(await end, { refused: [409, 'ask.unanswered', []] });
  });

  test(`${name} throws what is refused at once, with every fault at its place`, async (t) => {
    const s = await openHub(t);
    const refusals = [
      [s.hub, {}],
      [{ ...s.hub, apiKey: 'bks_none' }, body()],
      [{ ...s.hub, url: `${s.hub.url}docs` }, body()],
    ] as const;
    deepStrictEqual(await Promise.all(refusals.map(([hub, asked]) => client(hub, asked).end)), [
      { refused: [422, 'request.invalid', ['/calls']] },
      { refused: [401, 'credential.unknown', []] },
      { refused: [404, 'route.unknown', []] },
    ]);
  });

  test(`[DIA2] ${name} finds its question again after a lost connection`, async (t) => {
    const s = await openHub(t);
    const line = await openLine(t, new URL(s.hub.url).port);
    const { end } = client({ ...s.hub, url: line.url }, body());
    const [inquiry] = await s.open(1);
    while (s.p.inquiries.waiters.count(inquiry!.id) === 0) await pause(5);
    line.cut();
    while (line.count() < 2 || s.p.inquiries.waiters.count(inquiry!.id) === 0) await pause(5);
    await s.decide(inquiry!, 'approve');
    deepStrictEqual(await end, { reply: { runs: [['call_0', 'runs']] } });
    deepStrictEqual(await s.outcomes(), ['answered']);
  });

  test(`${name} takes its question back when its caller leaves`, async (t) => {
    const s = await openHub(t);
    const line = await openLine(t, new URL(s.hub.url).port);
    const { end, leave } = client({ ...s.hub, url: line.url }, body());
    await s.open(1);
    while (!line.heard()) await pause(5);
    // What came before over the same line has been read by then: only who knows its ask can take it back.
    await fetch(new URL('/healthz', line.url));
    leave();
    strictEqual(await end, 'left');
    await s.open(0);
    deepStrictEqual(await s.outcomes(), ['withdrawn']);
  });
}

test('beckon.mjs starts an ask, reads its reply later, and takes back what is not resolved', async (t) => {
  const s = await openHub(t);
  const options = { ...s.hub, idempotencyKey: 'run-7', to: ['owner'], deadline: 600 };
  const started = await start('trial', body(), options);
  deepStrictEqual(await start('trial', body(), options), started);
  const [inquiry] = await s.open(1);
  deepStrictEqual([started.inquiries, inquiry?.to], [[inquiry?.id], ['owner']]);
  const later = reply(started.ask, s.hub);
  await s.decide(inquiry!, 'approve');
  deepStrictEqual(await later, { runs: [['call_0', 'runs']] });
  await withdraw(started.ask, s.hub);
  const other = await start('trial', body(), s.hub);
  await withdraw(other.ask, { ...s.hub, reason: 'the run ended' });
  deepStrictEqual(await s.outcomes(), ['answered', 'withdrawn']);
});

test('the package gives the client away under a name of its own', async () => {
  deepStrictEqual(await import('beckon/client'), await import('./beckon.mjs'));
});

test('everybody can fetch the client files, as they are', async (t) => {
  const { hub } = await openHub(t);
  const types = ['beckon.mjs', 'beckon.d.mts', 'beckon.d.ts', 'beckon.py'].map(async (name) => {
    const { status, headers } = await fetch(`${hub.url}client/${name}`);
    return [status, headers.get('content-type')];
  });
  deepStrictEqual(await Promise.all(types), [
    [200, 'text/javascript; charset=utf-8'],
    [200, 'text/plain; charset=utf-8'],
    [200, 'text/plain; charset=utf-8'],
    [200, 'text/x-python; charset=utf-8'],
  ]);
  match(await (await fetch(`${hub.url}client/beckon.py`)).text(), /^"""Asks people/);
});

/** A line to the hub that can be cut; `count`: the connections that it has carried; `heard`: the hub has replied. */
async function openLine(t: TestContext, port: string) {
  const sockets = new Set<Socket>();
  let [count, heard] = [0, false];
  const server = createServer((socket) => {
    count += 1;
    const hub = connect(Number(port), '127.0.0.1');
    for (const one of [socket, hub]) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => sockets.delete(one));
    }
    hub.once('data', () => (heard = true));
    socket.pipe(hub).pipe(socket);
  });
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    cut();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    count: () => count,
    heard: () => heard,
  };
}

test('beckon.mjs refuses a key that no header may hold at once', { timeout: 5_000 }, async () => {
  await rejects(ask('trial', body(), { url: 'http://127.0.0.1:9', apiKey: 'a\nb' }), TypeError);
});

for (const [name, client] of Object.entries({ 'beckon.mjs': JS, 'beckon.py': PYTHON })) {
  test(`${name} tells a refusal whose body was cut off by its status`, { timeout: 20_000 }, async (t) => {
    const url = await openSham(t, () => 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 99\r\n\r\n{');
    deepStrictEqual(await client({ url, apiKey: 'a' }, body()).end, { refused: [401, 'reply.not_json', []] });
  });

  test(
    `[APR1] ${name} refuses an approval that had ended as it was read, by the hub's clock`,
    { timeout: 20_000 },
    async (t) => {
      const text = '{"runs":[["call_0","runs"]]}';
      let validUntil = '2026-01-01T12:00:30.000Z';
      const url = await openSham(t, () => {
        const headers = `Date: Thu, 01 Jan 2026 12:00:30 GMT\r\nBeckon-Valid-Until: ${validUntil}\r\nConnection: close`;
        return `HTTP/1.1 200 OK\r\n${headers}\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
      });
      deepStrictEqual(await client({ url, apiKey: 'a' }, body()).end, { refused: [409, 'ask.ended', []] });
      validUntil = '2026-01-01T12:01:00.000Z';
      deepStrictEqual(await client({ url, apiKey: 'a' }, body()).end, { reply: JSON.parse(text) });
    },
  );

  test(
    `[APR1] ${name} reads a resolution again that it may have read after its end`,
    { timeout: 20_000 },
    async (t) => {
      const text = '{"outcome":"answered","validUntil":"2026-01-01T12:00:31.000Z"}';
      const seconds = [29, 31];
      const url = await openSham(t, () => {
        // As if its process had slept: nobody can tell on which side of the reply's own instant.
        for (const at = Date.now(); Date.now() < at + 1_100;);
        const headers = `Date: Thu, 01 Jan 2026 12:00:${seconds.shift()} GMT\r\nConnection: close`;
        return `HTTP/1.1 200 OK\r\n${headers}\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
      });
      deepStrictEqual(await client({ url, apiKey: 'a' }, body()).end, { refused: [409, 'ask.ended', []] });
    },
  );

  test(
    `[APR1] ${name} refuses in the end what is always read too slowly to know that it holds`,
    { timeout: 20_000 },
    async (t) => {
      const text = '{"outcome":"answered","validUntil":"2026-01-01T12:00:31.400Z"}';
      let calls = 0;
      const url = await openSham(t, () => {
        calls += 1;
        // As a cache between does, which tells one instant for ever.
        for (const at = Date.now(); Date.now() < at + 500;);
        const headers = 'Date: Thu, 01 Jan 2026 12:00:30 GMT\r\nBeckon-Ask: ask_1\r\nConnection: close';
        return `HTTP/1.1 200 OK\r\n${headers}\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
      });
      const end = await client({ url, apiKey: 'a' }, body()).end;
      deepStrictEqual([end, calls], [{ refused: [409, 'ask.ended', []] }, 3]);
    },
  );

  test(`${name} gives up on replies under 200 that hold no question`, { timeout: 20_000 }, async (t) => {
    const problem = '{"type":"urn:beckon:problem:hub.stopping","status":503,"code":"hub.stopping"}';
    let calls = 0;
    const url = await openSham(t, () => {
      const text = (calls += 1) % 2 === 1 ? problem : '';
      return `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
    });
    deepStrictEqual(await client({ url, apiKey: 'a' }, body(), 2).end, { refused: [503, 'hub.stopping', []] });
    strictEqual(calls, 3);
  });
}

/** A server that is no hub: it replies so to each call. */
async function openSham(t: TestContext, respond: () => string): Promise<string> {
  const sham = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(respond()));
  });
  await new Promise<void>((resolve) => sham.listen(0, '127.0.0.1', resolve));
  t.after(() => sham.close());
  return `http://127.0.0.1:${(sham.address() as AddressInfo).port}`;
}
