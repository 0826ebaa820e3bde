import { deepStrictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { pino } from 'pino';
import { measuredClock } from './clock.ts';

async function open(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const server = { ahead: 5_000, onReturn: () => {} };
  const log = pino({ level: 'silent' });
  const warned = t.mock.method(log, 'warn', () => {});
  const query = async <R>() => [{ at: performance.now() + server.ahead } as R];
  const wall = t.mock.method(Date, 'now', () => performance.now() + 5_000);
  const clock = await measuredClock({ query, onReturn: (listener) => (server.onReturn = listener) }, log);
  t.after(() => clock.stop());
  return {
    clock,
    server,
    warnings: () => warned.mock.callCount(),
    setWall: (ahead: number) => wall.mock.mockImplementation(() => performance.now() + ahead),
    async measured() {
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      return Math.round((clock.now() - performance.now()) / 100) * 100;
    },
  };
}

test("the clock follows the server's, whatever this machine's says, measured again every 10 s and when the server is back", async (t) => {
  const { server, measured, setWall } = await open(t);
  setWall(-3_600_000);
  const seen = [await measured()];
  server.ahead = -70_000;
  t.mock.timers.tick(10_000);
  seen.push(await measured());
  server.ahead = 9_000;
  server.onReturn();
  seen.push(await measured());
  deepStrictEqual(seen, [5_000, -70_000, 9_000]);
});

test("a machine whose clock is not the server's is warned of once, until it is right again", async (t) => {
  const { clock, measured, setWall, warnings } = await open(t);
  const seen: [boolean, number][] = [];
  for (const ahead of [5_500, 9_000, 9_000, 5_000, 1_000]) {
    setWall(ahead);
    t.mock.timers.tick(10_000);
    await measured();
    seen.push([clock.differs(), warnings()]);
  }
  deepStrictEqual(seen, [
    [false, 0],
    [true, 1],
    [true, 1],
    [false, 1],
    [true, 2],
  ]);
});
