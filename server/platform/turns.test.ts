import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { createTurns, createWork, endTurn, inTurn, readInTurn, takeTurn } from './turns.ts';

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
    await nextTick();
    time += ms;
    for (const timer of [...timers].filter(({ at }) => at <= time)) {
      timers.delete(timer);
      timer.run();
    }
    await nextTick();
  };
  const enter = (key: string, name: string): Promise<() => void> => {
    const turn = turns.take(key);
    void turn.then(() => begun.push(name));
    return turn;
  };
  /** A call of this key that reads so many bytes, and replies when `reply` is called. */
  const reads = (key: string, name: string, bytes: number) => {
    const work = createWork(turns, key);
    void inTurn(work, () => takeTurn(bytes)).then(() => begun.push(name));
    return { work, reply: work.close };
  };
  return { turns, enter, reads, step, begun };
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
  const { turns, enter, step, begun } = scene();
  const waits = createWork(turns, 'flood');
  void waits.take().then(() => begun.push('waits'));
  void enter('flood', 'hangs');
  void enter('flood', 'last');
  await step(0);
  await inTurn(waits, async () => {
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

test('[LIV3] large readings of one caller go one after another until each has replied, and small ones and others go in between', async () => {
  const { reads, step, begun } = scene();
  const first = reads('flood', 'flood 1', 5_000);
  const second = reads('flood', 'flood 2', 5_000);
  reads('flood', 'flood, small', 4_096);
  reads('neighbour', 'neighbour', 5_000);
  await step(0);
  deepStrictEqual(begun, ['flood, small', 'flood 1', 'neighbour']);
  await step(20);
  first.reply();
  await step(0);
  await step(19);
  deepStrictEqual(begun, ['flood, small', 'flood 1', 'neighbour']);
  // What is over before its turn keeps nobody waiting.
  second.reply();
  reads('flood', 'flood 3', 5_000);
  await step(1);
  await step(0);
  deepStrictEqual(begun, ['flood, small', 'flood 1', 'neighbour', 'flood 2', 'flood 3']);
});

test('[LIV3] what one call reads at once has one turn, and a new one after it has waited', async () => {
  const { reads, step, begun } = scene();
  const { work } = reads('flood', 'one part', 5_000);
  void inTurn(work, () => takeTurn(5_000)).then(() => begun.push('another part'));
  reads('flood', 'next call', 5_000);
  await step(0);
  deepStrictEqual(begun, ['one part', 'another part']);
  inTurn(work, endTurn);
  void inTurn(work, () => takeTurn(5_000)).then(() => begun.push('after waiting'));
  await step(0);
  deepStrictEqual(begun, ['one part', 'another part', 'next call']);
  await step(1_000);
  await step(1_000);
  deepStrictEqual(begun, ['one part', 'another part', 'next call', 'after waiting']);
});

test('[LIV3] large rows are read again in a turn and not kept until then, small ones are read once', async () => {
  const { turns, enter, step, begun } = scene();
  const first = enter('flood', 'flood 1');
  const rows = (length: number, name: string) => async () => {
    begun.push(`reads ${name}`);
    return [[{ asked: name.padEnd(length) }], []];
  };
  const small = inTurn(createWork(turns, 'flood'), () => readInTurn(rows(4_096, 'small')));
  const call = createWork(turns, 'flood');
  const large = inTurn(call, () => readInTurn(rows(4_097, 'large')));
  const another = inTurn(call, () => readInTurn(rows(4_098, 'another')));
  await step(0);
  deepStrictEqual(begun, ['reads small', 'reads large', 'reads another', 'flood 1']);
  deepStrictEqual(await small, [[{ asked: 'small'.padEnd(4_096) }], []]);
  (await first)();
  await step(0);
  deepStrictEqual(begun.slice(4), ['reads large', 'reads another']);
  const found = [
    [[{ asked: 'large'.padEnd(4_097) }], []],
    [[{ asked: 'another'.padEnd(4_098) }], []],
  ];
  deepStrictEqual(await Promise.all([large, another]), found);
});
