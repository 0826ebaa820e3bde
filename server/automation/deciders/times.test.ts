import { deepStrictEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countsAt, givesUpAt, startsAt } from './times.ts';

const ofTime = (openedSeconds: number, deadlineSeconds: number) => ({
  opened_at: openedSeconds * 1000,
  deadline_at: deadlineSeconds * 1000,
});

test('[POL8] a decider that is to decide before the deadline begins 32 s and the hold before it, not before half of the time', () => {
  deepStrictEqual(
    [
      startsAt(ofTime(0, 3600), 20),
      startsAt(ofTime(0, 3600), 300),
      startsAt(ofTime(0, 60), 20),
      startsAt(ofTime(0, 3), 0),
    ],
    [3_548_000, 3_268_000, 30_000, 1_500],
  );
});

test('[POL9] what it proposes counts after the hold, at latest 2 s before the deadline, and later than that never', () => {
  deepStrictEqual(
    [
      countsAt(100_000, 20, 0),
      countsAt(100_000, 0, 5),
      countsAt(100_000, 20, 90_000),
      countsAt(100_000, 20, 98_000),
      countsAt(100_000, 20, 98_001),
    ],
    [20_000, 5, 98_000, 98_000, undefined],
  );
  deepStrictEqual([givesUpAt(100_000, 30, 0), givesUpAt(20_000, 30, 0)], [35_000, 18_000]);
});

test('[POL8] [POL9] whatever the times, people have the first half, and a hold ends 2 s before the deadline', () => {
  const whole = fc.integer({ min: 1, max: 30 * 86_400_000 });
  fc.assert(
    fc.property(whole, fc.integer({ min: 0, max: 300 }), whole, (ms, hold, at) => {
      const begins = startsAt({ opened_at: 0, deadline_at: ms }, hold);
      const counts = countsAt(ms, hold, at);
      ok(begins >= ms / 2);
      ok(counts === undefined ? at > ms - 2000 : counts >= Math.min(at, ms - 2000) && counts <= ms - 2000);
    }),
  );
});
