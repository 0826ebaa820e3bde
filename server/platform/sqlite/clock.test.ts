import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { steadyClock } from './clock.ts';

const HOUR = 3_600_000;

/** A machine at rest; what passes, passes on all three clocks. */
function machine() {
  const at = { wall: 1_800_000_000_000, monotonic: 50, uptime: 9_000_000 };
  return {
    at,
    clock: steadyClock({ wall: () => at.wall, monotonic: () => at.monotonic, uptime: () => at.uptime }),
    pass(ms: number) {
      at.wall += ms;
      at.monotonic += ms;
      at.uptime += ms;
    },
  };
}

test('a step of the wall clock is told and taken over only when it is moved', () => {
  for (const step of [HOUR, -HOUR, 2_500]) {
    const { at, clock, pass } = machine();
    pass(1_000);
    at.wall += step;
    const seen = [clock.now(), clock.stepped(), clock.stepped()];
    clock.move(step);
    deepStrictEqual(
      [...seen, clock.now(), clock.stepped()],
      [1_800_000_001_000, step, step, 1_800_000_001_000 + step, 0],
    );
  }
});

test('sleep is ordinary time, and a step during sleep is a step', () => {
  const { at, clock } = machine();
  at.wall += 8 * HOUR;
  at.uptime += 8 * HOUR;
  deepStrictEqual([clock.stepped(), clock.now()], [0, at.wall]);
  at.wall += 9 * HOUR;
  at.uptime += 8 * HOUR;
  deepStrictEqual([clock.stepped(), clock.now()], [HOUR, at.wall - HOUR]);
});

test('slow drift is followed, and many small steps are a step', () => {
  const { at, clock, pass } = machine();
  for (let second = 0; second < 10_000; second++) {
    pass(1_000);
    at.wall += 0.4;
    deepStrictEqual(clock.stepped(), 0);
  }
  deepStrictEqual(Math.abs(clock.now() - at.wall) < 2, true);
  at.wall += 1_900;
  const first = clock.stepped();
  at.wall += 1_900;
  deepStrictEqual([first, clock.stepped()], [0, 3_800]);
});
