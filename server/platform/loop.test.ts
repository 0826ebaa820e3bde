import { deepStrictEqual, rejects } from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setImmediate as nextCheck, setTimeout as pause } from 'node:timers/promises';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { nextInLine, takingTurns, watchLoop } from './loop.ts';

/** Late enough for the watch to say that the process stood still. */
const STILL_MS = 400;

/** Reports of what is read since when it may have lain in its socket. */
async function reader(loop: ReturnType<typeof watchLoop>) {
  const heard: { text: string; since: number }[] = [];
  const server = createServer((socket) => {
    socket.on('data', (data) => heard.push({ text: String(data), since: loop.lookedAt() }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { heard, server, port: (server.address() as AddressInfo).port };
}

test('what lay in a socket while the process stood still may have come since before it, what comes after has not', async (t) => {
  const loop = watchLoop();
  const { heard, server, port } = await reader(loop);
  const written = new Int32Array(new SharedArrayBuffer(4));
  // Another thread, because this one stands still while it writes; new connections are read a turn after each other.
  const writer = new Worker(
    `const { connect } = require('node:net');
     const { parentPort, workerData: written } = require('node:worker_threads');
     const count = () => { Atomics.add(written, 0, 1); Atomics.notify(written, 0); };
     const kept = connect(${port}, '127.0.0.1', () => parentPort.postMessage('connected'));
     parentPort.on('message', () => {
       kept.write('kept', count);
       for (let nth = 0; nth < 5; nth++) connect(${port}, '127.0.0.1').write('new', count);
     });`,
    { eval: true, workerData: written },
  );
  t.after(async () => {
    loop.stop();
    server.close();
    await writer.terminate();
  });
  await once(writer, 'message');
  await loop.caughtUp();
  const stoodFrom = performance.now();
  writer.postMessage('go');
  // Until all is written, and for longer than a turn of the loop ever takes.
  for (let seen = 0; seen < 6; seen = Atomics.load(written, 0)) Atomics.wait(written, 0, seen);
  Atomics.wait(written, 0, 6, STILL_MS);
  const stoodUntil = performance.now();
  deepStrictEqual(loop.behind(), true);
  while (heard.length < 6) await pause(5);
  deepStrictEqual(
    heard.map(({ text, since }) => `${text} ${since <= stoodFrom}`).toSorted((a, b) => (a < b ? -1 : 1)),
    ['kept true', 'new true', 'new true', 'new true', 'new true', 'new true'],
  );

  await loop.caughtUp();
  deepStrictEqual(loop.behind(), false);
  connect(port, '127.0.0.1')
    .on('error', () => {})
    .end('later');
  while (heard.length < 7) await pause(5);
  deepStrictEqual(
    heard.slice(6).map(({ text, since }) => [text, since >= stoodUntil]),
    [['later', true]],
  );
});

test('what was read after a standstill keeps this process behind until it has come to its handler', async (t) => {
  const loop = watchLoop();
  t.after(loop.stop);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STILL_MS);
  const entered = loop.entering();
  for (let now = performance.now(); loop.lookedAt() < now; now = performance.now()) await nextCheck();
  const seen = [loop.behind()];
  entered();
  seen.push(loop.behind());
  loop.entering();
  seen.push(loop.behind());
  deepStrictEqual(seen, [true, false, false]);
});

test('a loop over rows lets everything else run whenever it ran for 10 ms, and ends with its reader', async () => {
  let at = 0;
  const turnsAt: number[] = [];
  const reader = new AbortController();
  const turn = takingTurns(reader.signal, { now: () => at, next: async () => turnsAt.push(at) });
  for (; at <= 30; at += 4) await turn();
  deepStrictEqual(turnsAt, [12, 24]);
  reader.abort(new Error('gone'));
  await rejects(turn(), /gone/);
});

test('of many loops one goes on in each turn of the event loop', async () => {
  const went: string[] = [];
  const loops = ['a', 'b', 'c'].map(async (name) => {
    await nextInLine();
    went.push(name);
  });
  const seen: string[] = [];
  while (went.length < 3) {
    await nextCheck();
    seen.push(went.join(''));
  }
  await Promise.all(loops);
  deepStrictEqual(seen.slice(-3), ['a', 'ab', 'abc']);
});
