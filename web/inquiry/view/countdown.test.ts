import { deepStrictEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { canExtend, timeLeft } from './countdown.ts';

const inquiry = { openedAt: '2026-11-21T14:00:00.000Z', deadlineAt: '2026-11-21T14:20:02.000Z' };
const at = (clock: string) => Date.parse(`2026-11-21T${clock}.000Z`);

test('a device closes two seconds before the hub, so that what was sent in the last moment counts', () => {
  deepStrictEqual(timeLeft(inquiry, at('14:20:00')), { state: 'up', leftMs: 0, share: 0 });
  deepStrictEqual(timeLeft(inquiry, at('14:19:59')), { state: 'last', leftMs: 1000, share: 1000 / 1_200_000 });
});

test('time is told as a clock time, then in minutes under a quarter of an hour, then in seconds', () => {
  const states = ['14:00:00', '14:05:00', '14:05:01', '14:18:59', '14:19:00', '14:19:30', '14:20:01'].map(
    (clock) => timeLeft(inquiry, at(clock)).state,
  );
  deepStrictEqual(states, ['hours', 'hours', 'minutes', 'minutes', 'last', 'last', 'up']);
});

test('the rule that burns down begins whole, also for a clock that is behind', () => {
  equal(timeLeft(inquiry, at('14:00:00')).share, 1);
  equal(timeLeft(inquiry, at('13:00:00')).share, 1);
  equal(timeLeft(inquiry, at('14:10:00')).share, 0.5);
});

test('more time is offered only while there is some to give and the inquiry is open', () => {
  const later = { ...inquiry, latestAt: '2026-11-21T14:35:02.000Z' };
  deepStrictEqual(
    [
      canExtend(later, at('14:19:00')),
      canExtend(later, at('14:20:00')),
      canExtend({ ...inquiry, latestAt: inquiry.deadlineAt }, at('14:19:00')),
    ],
    [true, false, false],
  );
});
