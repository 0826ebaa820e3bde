import { deepStrictEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { breaksThrough, quietUntil, type Quiet } from './quiet.ts';

const NIGHT = { spans: [{ from: '22:00', to: '07:00' }] };
const until = (quiet: Pick<Quiet, 'spans'>, timeZone: string, now: string) => {
  const end = quietUntil(quiet, timeZone, Date.parse(now));
  return end === undefined ? 'awake' : new Date(end).toISOString();
};

test('a night goes past midnight, ends on the minute, and is where the person is', () => {
  deepStrictEqual(
    ['2026-11-20T20:59:59Z', '2026-11-20T21:00:00Z', '2026-11-21T05:59:59Z', '2026-11-21T06:00:00Z'].map((now) =>
      until(NIGHT, 'Europe/Berlin', now),
    ),
    ['awake', '2026-11-21T06:00:00.000Z', '2026-11-21T06:00:00.000Z', 'awake'],
  );
  deepStrictEqual(until(NIGHT, 'Asia/Shanghai', '2026-11-20T21:00:00Z'), '2026-11-20T23:00:00.000Z');
});

test('a night ends when clocks show its end, whatever they did in it', () => {
  deepStrictEqual(
    [
      until(NIGHT, 'Europe/Berlin', '2026-03-28T21:30:00Z'),
      until(NIGHT, 'Europe/Berlin', '2026-10-24T20:30:00Z'),
      until(NIGHT, 'America/New_York', '2026-11-01T02:00:00Z'),
      until(NIGHT, 'Australia/Lord_Howe', '2026-04-04T12:00:00Z'),
      // 02:30 does not come on that day, and comes twice on this one.
      until({ spans: [{ from: '02:30', to: '05:00' }] }, 'Europe/Berlin', '2026-03-29T01:29:59Z'),
      until({ spans: [{ from: '02:30', to: '05:00' }] }, 'Europe/Berlin', '2026-03-29T01:30:00Z'),
      until({ spans: [{ from: '01:00', to: '02:30' }] }, 'Europe/Berlin', '2026-10-25T00:29:00Z'),
      until({ spans: [{ from: '01:00', to: '02:30' }] }, 'Europe/Berlin', '2026-10-25T01:29:00Z'),
    ],
    [
      '2026-03-29T05:00:00.000Z',
      '2026-10-25T06:00:00.000Z',
      '2026-11-01T12:00:00.000Z',
      '2026-04-04T20:30:00.000Z',
      'awake',
      '2026-03-29T03:00:00.000Z',
      '2026-10-25T00:30:00.000Z',
      'awake',
    ],
  );
});

test('days are those on which it begins, whole days follow on each other, and no quiet lasts for ever', () => {
  const weekend: Quiet['spans'] = [
    { from: '22:00', to: '07:00', days: ['fri'] },
    { from: '00:00', to: '00:00', days: ['sat', 'sun'] },
  ];
  deepStrictEqual(
    [
      until({ spans: weekend }, 'UTC', '2026-11-20T21:59:00Z'),
      until({ spans: weekend }, 'UTC', '2026-11-20T22:00:00Z'),
      until({ spans: weekend }, 'UTC', '2026-11-23T00:00:00Z'),
      until({ spans: [{ from: '00:00', to: '00:00' }] }, 'UTC', '2026-11-20T12:00:00Z'),
    ],
    ['awake', '2026-11-23T00:00:00.000Z', 'awake', '2026-11-28T00:00:00.000Z'],
  );
});

test('in every zone, at its end it is quiet no more and clocks show that end', () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia'];
  const time = fc.record({ hour: fc.integer({ min: 3, max: 23 }), minute: fc.integer({ min: 0, max: 59 }) });
  const clock = time.map(({ hour, minute }) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
  fc.assert(
    fc.property(
      clock,
      clock,
      fc.constantFrom(...zones),
      fc.integer({ min: 1.7e12, max: 1.9e12 }),
      (from, to, zone, now) => {
        fc.pre(from !== to);
        const end = quietUntil({ spans: [{ from, to }] }, zone, now);
        const shown = (at: number) =>
          new Intl.DateTimeFormat('en', {
            timeZone: zone,
            hourCycle: 'h23',
            hour: '2-digit',
            minute: '2-digit',
          }).format(at);
        const local = shown(now);
        const inside = from < to ? local >= from && local < to : local >= from || local < to;
        if (end === undefined) return !inside;
        ok(end > now && quietUntil({ spans: [{ from, to }] }, zone, end) === undefined);
        return inside && shown(end) === to;
      },
    ),
    { numRuns: 300 },
  );
});

test('what breaks through is what is of high urgency, or of a source that is named', () => {
  const asked = { urgency: 'high', sourceId: 'src_a' };
  const through = [undefined, {}, { high: true }, { sources: ['src_a'] }, { high: false, sources: ['src_b'] }];
  deepStrictEqual(
    through.map((one) => breaksThrough({ ...NIGHT, ...(one ? { through: one } : {}) }, asked)),
    [false, false, true, true, false],
  );
  deepStrictEqual(breaksThrough({ ...NIGHT, through: { high: true } }, { sourceId: 'src_a' }), false);
});
