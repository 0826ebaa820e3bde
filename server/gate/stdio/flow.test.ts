import { deepStrictEqual, ok } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createFlow, type Outflow } from './flow.ts';

const PIECE = Buffer.alloc(100_000);

function scene(t: TestContext, options: Parameters<typeof createFlow>[1]) {
  const child = { reads: true, pause: () => void (child.reads = false), resume: () => void (child.reads = true) };
  const flow = createFlow(child, options);
  const open = (standing = false): Outflow => {
    const outflow = flow.open({ standing });
    t.after(() => outflow.stream.destroy());
    return outflow;
  };
  // What a program without end says, while it is read.
  const flood = (outflow: Outflow): void => {
    for (let at = 0; at < 1000 && child.reads; at++) outflow.write(PIECE);
  };
  return { child, open, flood };
}

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await turn();
};

test('a program is read no faster than its client reads', async (t) => {
  const { child, open, flood } = scene(t, { patienceMs: 1 });
  const [outflow, listener] = [open(), open(true)];
  flood(outflow);
  deepStrictEqual([child.reads, outflow.stream.writableLength < 1_000_000], [false, true]);
  // Nobody else waits for it, so that it may wait as long as its client does.
  for (let passed = 0; passed < 20; passed++) await new Promise((done) => setTimeout(done, 1));
  deepStrictEqual([child.reads, outflow.lags(), listener.lags()], [false, false, false]);
  outflow.stream.resume();
  await until(() => child.reads);
});

test('a client that does not read holds those who share its program for a moment only, and then what is kept for it is limited', async (t) => {
  const { child, open, flood } = scene(t, { patienceMs: 1, limit: 1_000_000 });
  const [slow, other] = [open(), open()];
  other.stream.resume();
  flood(slow);
  deepStrictEqual([child.reads, slow.lags()], [false, false]);
  await until(() => child.reads);
  deepStrictEqual([slow.lags(), other.lags()], [true, false]);
  flood(slow);
  deepStrictEqual([child.reads, slow.stream.destroyed, other.stream.destroyed], [true, true, false]);
});

test('what waits beside the replies counts, and whoever leaves or has all holds nobody', async (t) => {
  const waits = scene(t, { patienceMs: 1, waiting: () => 1 });
  waits.flood(waits.open());
  await until(() => waits.child.reads);

  const { child, open, flood } = scene(t, { patienceMs: 1_000_000 });
  const [leaving, ended] = [open(), open()];
  flood(leaving);
  ok(!child.reads);
  leaving.stream.destroy();
  await until(() => child.reads);
  flood(ended);
  ok(!child.reads);
  ended.end();
  ok(child.reads);
});
