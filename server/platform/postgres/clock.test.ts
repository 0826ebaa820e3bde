import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { measuredClock } from './clock.ts';

test("the clock follows the server's, and is measured again each minute and when the server is back", async (t) => {
  t.mock.timers.enable({ apis: ['Date', 'setInterval'], now: 1_000_000 });
  let ahead = 5_000;
  let onReturn = () => {};
  const server = {
    query: async <R>() => [{ at: Date.now() + ahead } as R],
    onReturn: (listener: () => void) => (onReturn = listener),
  };
  const settled = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };

  const clock = await measuredClock(server);
  const measured = [clock.now() - Date.now()];
  ahead = -70_000;
  t.mock.timers.tick(60_000);
  await settled();
  measured.push(clock.now() - Date.now());
  ahead = 9_000;
  onReturn();
  await settled();
  measured.push(clock.now() - Date.now());
  clock.stop();
  deepStrictEqual(
    measured.map((offset) => Math.round(offset / 100) * 100),
    [5_000, -70_000, 9_000],
  );
});
