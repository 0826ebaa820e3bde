import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { createTurns, endTurn, inTurn } from './turns.ts';

/** Turns in time that is stepped; `begun` is what has begun, in order. */
function scene() {
  let time = 0;
  const timers = new Set<{ at: number; run: () => void }>();
  const begun: string[] = [];
  const after = (ms: number, run: () => void) => {
    const timer = { at: time + ms, run };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const turns = createTurns({ now: () => time, after });
  const step = async (ms: number) => {
    time += ms;
    for (const timer of [...timers].filter(({ at }) => at <= time)) {
      timers.delete(timer);
      timer.run();
    }
    await Promise.resolve();
  };
  const enter = (key: string, name: string): Promise<() => void> => {
    const turn = turns.take(key);
    void turn.then(() => begun.push(name));
    return turn;
  };
  return { enter, step, begun };
}

test('[LIV3] of one key one is worked on at a time and half of the time, and another key waits for none of them', async () => {
  const { enter, step, begun } = scene();
  const first = enter('flood', 'flood 1');
  const second = enter('flood', 'flood 2');
  void enter('flood', 'flood 3');
  void enter('neighbour', 'neighbour');
  await step(0);
  await step(20);
  deepStrictEqual(begun, ['flood 1', 'neighbour']);
  (await first)();
  await step(19);
  deepStrictEqual(begun, ['flood 1', 'neighbour']);
  await step(1);
  deepStrictEqual(begun, ['flood 1', 'neighbour', 'flood 2']);
  (await second)();
  (await second)();
  await step(0);
  deepStrictEqual(begun, ['flood 1', 'neighbour', 'flood 2', 'flood 3']);
});

test('[LIV3] a turn ends where its work begins to wait, and by itself after a second', async () => {
  const { enter, step, begun } = scene();
  const waits = enter('flood', 'waits');
  void enter('flood', 'hangs');
  void enter('flood', 'last');
  await step(0);
  await inTurn(await waits, async () => {
    await Promise.resolve();
    endTurn();
  });
  await step(0);
  deepStrictEqual(begun, ['waits', 'hangs']);
  await step(999);
  await step(1);
  await step(999);
  deepStrictEqual(begun, ['waits', 'hangs']);
  await step(1);
  deepStrictEqual(begun, ['waits', 'hangs', 'last']);
});
