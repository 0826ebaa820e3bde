import { sql, type RawBuilder } from 'kysely';
import { instantOf, offsetAt } from '#shared/policies/quiet.ts';
import { DAY_MS, HOUR_MS } from '../../platform/clock.ts';

const MINUTE_MS = 60_000;
const WEEK_HOURS = 168;

/** When the day began there that was so many days before the one of `now`. */
export function daysBefore(timeZone: string, now: number, days: number): number {
  const today = Math.floor((now + offsetAt(timeZone, now)) / DAY_MS) * DAY_MS;
  return instantOf(timeZone, today - days * DAY_MS, '00:00');
}

/** Of an instant between `from` and `to`: the hour of the week that clocks show there, from 0 at the begin of a Thursday. */
export function hourOfWeek(timeZone: string, from: number, to: number) {
  const spans = findSpans(timeZone, from, to);
  return (at: RawBuilder<unknown>): RawBuilder<number> => {
    const offset = spans.reduceRight<RawBuilder<unknown> | undefined>(
      (later, { until, offset: shift }) =>
        later ? sql`case when ${at} < ${sql.lit(until)} then ${sql.lit(shift)} else ${later} end` : sql.lit(shift),
      undefined,
    );
    return sql`((cast(${at} as bigint) + ${offset}) / ${sql.lit(HOUR_MS)}) % ${sql.lit(WEEK_HOURS)}`;
  };
}

/** The weekday, 0 is Sunday, and the hour of day of an hour of the week. */
export function toSlot(hour: number): { weekday: number; hour: number } {
  return { weekday: (Math.floor(hour / 24) + 4) % 7, hour: hour % 24 };
}

// Stretches in which clocks there are ahead of UTC by the same.
function findSpans(timeZone: string, from: number, to: number): { until: number; offset: number }[] {
  const spans: { until: number; offset: number }[] = [];
  let [at, offset] = [from, offsetAt(timeZone, from)];
  while (at < to) {
    const next = Math.min(at + DAY_MS, to);
    const after = offsetAt(timeZone, next);
    if (after !== offset) spans.push({ until: changeBetween(timeZone, at, next), offset });
    [at, offset] = [next, after];
  }
  return [...spans, { until: to, offset }];
}

function changeBetween(timeZone: string, from: number, to: number): number {
  const before = offsetAt(timeZone, from);
  let [low, high] = [Math.floor(from / MINUTE_MS), Math.ceil(to / MINUTE_MS)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(timeZone, middle * MINUTE_MS) === before) low = middle;
    else high = middle;
  }
  return high * MINUTE_MS;
}
