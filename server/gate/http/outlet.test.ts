import { deepStrictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { createOutlet } from './outlet.ts';

test('a client that reads slowly leaves nothing behind that listens', async () => {
  const raw = new PassThrough({ highWaterMark: 1 });
  const outlet = createOutlet({ raw: raw as unknown as ServerResponse, everyMs: 1000, signs: { count: 0 } });
  const listeners = (): number[] => ['close', 'drain', 'error'].map((event) => raw.listenerCount(event));
  const before = listeners();
  for (let count = 0; count < 20; count++) {
    const written = outlet.write('more than fits');
    raw.read();
    await written;
  }
  deepStrictEqual(listeners(), before);
});

test('a client that closed before its outlet was opened is gone', () => {
  const raw = new PassThrough();
  raw.destroy();
  const outlet = createOutlet({ raw: raw as unknown as ServerResponse, everyMs: 1000, signs: { count: 0 } });
  deepStrictEqual(
    [outlet.closed.aborted, String(outlet.closed.reason)],
    [true, 'Error: The client closed the connection.'],
  );
});

test('what an older client left behind runs on for a while and no longer', async () => {
  const raw = new PassThrough();
  const outlet = createOutlet({
    raw: raw as unknown as ServerResponse,
    everyMs: 1000,
    signs: { count: 0 },
    runsOnMs: 5,
  });
  const abandoned = once(outlet.abandoned, 'abort');
  raw.destroy();
  await once(raw, 'close');
  deepStrictEqual([outlet.closed.aborted, outlet.abandoned.aborted], [true, false]);
  // The timer of an outlet keeps no process alive.
  const alive = setTimeout(() => {}, 10_000);
  await abandoned;
  clearTimeout(alive);
});
