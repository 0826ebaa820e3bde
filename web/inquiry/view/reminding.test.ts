import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { lastReminder, offered } from './reminding.ts';

const local = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime();

test('[DLV4] an hour, this evening while it is not there yet, and tomorrow morning are offered, by the clocks of the device', () => {
  deepStrictEqual(
    [offered(local(21, 14, 5)), offered(local(30, 19))],
    [
      [
        ['hour', local(21, 15, 5)],
        ['tonight', local(21, 19)],
        ['tomorrow', local(22, 8)],
      ],
      [
        ['hour', local(30, 20)],
        ['tomorrow', local(31, 8)],
      ],
    ],
  );
  deepStrictEqual(lastReminder({ deadlineAt: '2026-11-21T18:00:00.000Z' }), Date.UTC(2026, 10, 21, 17, 45));
});
