import { deepStrictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { createReplyStream } from './reply-stream.ts';

test('a client that reads slowly leaves nothing behind that listens', async () => {
  const raw = new PassThrough({ highWaterMark: 1 });
  const replyStream = createReplyStream({ raw: raw as unknown as ServerResponse, everyMs: 1000, signs: { count: 0 } });
  const listeners = (): number[] => ['close', 'drain', 'error'].map((event) => raw.listenerCount(event));
  const before = listeners();
  for (let count = 0; count < 20; count++) {
    const written = replyStream.write('more than fits');
    raw.read();
    await written;
  }
  deepStrictEqual(listeners(), before);
});

test('a client that closed before its outlet was opened is gone', () => {
  const raw = new PassThrough();
  raw.destroy();
  const replyStream = createReplyStream({ raw: raw as unknown as ServerResponse, everyMs: 1000, signs: { count: 0 } });
  deepStrictEqual(
    [replyStream.closed.aborted, String(replyStream.closed.reason)],
    [true, 'Error: The client closed the connection.'],
  );
});

test('what an older client left behind runs on for a while and no longer', async () => {
  const raw = new PassThrough();
  const replyStream = createReplyStream({
    raw: raw as unknown as ServerResponse,
    everyMs: 1000,
    signs: { count: 0 },
    runsOnMs: 5,
  });
  const abandoned = once(replyStream.abandoned, 'abort');
  raw.destroy();
  await once(raw, 'close');
  deepStrictEqual([replyStream.closed.aborted, replyStream.abandoned.aborted], [true, false]);
  // The timer of a reply stream keeps no process alive.
  const alive = setTimeout(() => {}, 10_000);
  await abandoned;
  clearTimeout(alive);
});

test('the head of a reply leaves with its first bytes, and alone where they are not there yet', async (t) => {
  const sent: [atOnce: number, next: boolean][] = [];
  const server = createServer((_request, raw) => {
    const replyStream = createReplyStream({ raw, everyMs: 1000, signs: { count: 0 } });
    const writes = t.mock.method(raw.socket!, 'write');
    const alone = sent.length > 0;
    replyStream.head(200, {});
    const before = writes.mock.callCount();
    setImmediate(() => {
      sent.push([before, writes.mock.callCount() > 0]);
      replyStream.end();
    });
    if (!alone) void replyStream.write('here');
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const texts = [];
  for (let at = 0; at < 2; at++) texts.push(await (await fetch(`http://127.0.0.1:${port}`)).text());
  deepStrictEqual(
    [texts, sent],
    [
      ['here', ''],
      [
        [0, true],
        [0, true],
      ],
    ],
  );
});
