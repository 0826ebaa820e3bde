import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { whenDue } from './remind.ts';

const MINUTE = 60_000;
const at = (hour: number, minute = 0) => Date.UTC(2026, 10, 21, hour, minute);
const ASKED = { sourceId: 'src_1', openedAt: at(9), deadlineAt: at(12) };
const rings = (next: number | null) => ({ rings: true, next });
const waits = (next: number | null) => ({ rings: false, next });
const asChosen = (
  chosen: object,
  now: number,
  more: Partial<typeof ASKED & { urgency: string; later: number }> = {},
) => {
  const { later = 0, ...asked } = more;
  return whenDue({ preferences: JSON.stringify(chosen), later }, { ...ASKED, ...asked }, now);
};

test('[DLV5] once is once, repeated is every 30 minutes from when it rang until the deadline, and else it never rings again', () => {
  deepStrictEqual(
    [
      asChosen({}, at(9, 10)),
      asChosen({ reminders: 'never' }, at(9, 10)),
      whenDue({ preferences: null, later: 0 }, ASKED, at(9, 10)),
      asChosen({ reminders: 'once' }, at(9, 10)),
      asChosen({ reminders: 'repeat' }, at(9, 30)),
      // Three hours in which no node ran.
      asChosen({ reminders: 'repeat' }, at(11, 25)),
      asChosen({ reminders: 'repeat' }, at(11, 30)),
    ],
    [waits(null), waits(null), waits(null), rings(null), rings(at(10)), rings(at(11, 55)), rings(null)],
  );
});

test('[DLV4] [DLV5] what was set apart rings whatever is chosen, and goes on as if it was asked then', () => {
  deepStrictEqual(
    [
      asChosen({}, at(10), { later: 1 }),
      asChosen({ reminders: 'once' }, at(10), { later: 1 }),
      asChosen({ reminders: 'repeat' }, at(10), { later: 1 }),
    ],
    [rings(null), rings(at(10) + 10 * MINUTE), rings(at(10) + 30 * MINUTE)],
  );
});

test('[DLV3] [DLV5] what is asked in quiet hours is counted from their end, but for what breaks through', () => {
  const quiet = { spans: [{ from: '08:00', to: '10:00' }], through: { high: true } };
  const chosen = { reminders: 'once', timeZone: 'UTC', quiet };
  deepStrictEqual(
    [
      asChosen(chosen, at(9, 10)),
      asChosen(chosen, at(10, 10)),
      asChosen(chosen, at(9, 10), { urgency: 'high' }),
      asChosen({ ...chosen, reminders: 'repeat' }, at(9, 59), { openedAt: at(7) }),
      asChosen(chosen, at(9, 10), { deadlineAt: at(10, 5) }),
    ],
    [waits(at(10, 10)), rings(null), rings(null), rings(at(10, 30)), waits(null)],
  );
});
