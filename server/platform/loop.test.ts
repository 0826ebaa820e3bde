import { deepStrictEqual, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { watchLoop } from './loop.ts';

const STILL_MS = 600;

function standStill(): void {
  for (const end = performance.now() + STILL_MS; performance.now() < end;);
}

/** Reports of what is read how long ago it may have arrived. */
async function reader(loop: ReturnType<typeof watchLoop>) {
  const heard: { text: string; waitedMs: number }[] = [];
  const server = createServer((socket) => {
    socket.on('data', (data) => heard.push({ text: String(data), waitedMs: performance.now() - loop.lookedAt() }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { heard, server, port: (server.address() as AddressInfo).port };
}

test('what lay in a socket while the process stood still may have come since before it, what comes after has not', async (t) => {
  const loop = watchLoop();
  const { heard, server, port } = await reader(loop);
  // Another thread, because this one stands still while it writes; new connections are read a turn after each other.
  const writer = new Worker(
    `const { connect } = require('node:net');
     const { parentPort } = require('node:worker_threads');
     const kept = connect(${port}, '127.0.0.1', () => parentPort.postMessage('connected'));
     parentPort.on('message', () => setTimeout(() => {
       kept.write('kept');
       for (let nth = 0; nth < 5; nth++) connect(${port}, '127.0.0.1').write('new');
     }, ${STILL_MS / 3}));`,
    { eval: true },
  );
  t.after(async () => {
    loop.stop();
    server.close();
    await writer.terminate();
  });
  await once(writer, 'message');
  writer.postMessage('go');
  standStill();
  while (heard.length < 6) await pause(5);
  ok(
    heard.every(({ waitedMs }) => waitedMs >= STILL_MS - 50),
    JSON.stringify(heard),
  );

  await loop.caughtUp();
  connect(port, '127.0.0.1')
    .on('error', () => {})
    .end('later');
  while (heard.length < 7) await pause(5);
  deepStrictEqual(
    heard.slice(6).map(({ text, waitedMs }) => [text, waitedMs < 100]),
    [['later', true]],
  );
});
