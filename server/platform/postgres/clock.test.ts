import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { measuredClock } from './clock.ts';

test("the clock follows the server's, whatever this machine's says, measured again every 10 s and when the server is back", async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const server = { ahead: 5_000, onReturn: () => {} };
  const clock = await measuredClock({
    query: async <R>() => [{ at: performance.now() + server.ahead } as R],
    onReturn: (listener: () => void) => (server.onReturn = listener),
  });
  const step = t.mock.method(Date, 'now', () => 0);
  const read = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    return Math.round((clock.now() - performance.now()) / 100) * 100;
  };

  const measured = [await read()];
  server.ahead = -70_000;
  t.mock.timers.tick(10_000);
  measured.push(await read());
  server.ahead = 9_000;
  server.onReturn();
  measured.push(await read());
  clock.stop();
  deepStrictEqual([measured, step.mock.callCount()], [[5_000, -70_000, 9_000], 0]);
});
