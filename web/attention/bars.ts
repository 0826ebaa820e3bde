import type { Bar } from '#shared/policies/attention.ts';

/** A bar of a plot: its name under it, and how high its two parts are. */
export type Drawn = Pick<Bar, 'asked' | 'automatic'> & { name: string };

/** Those of which there is something to draw. */
export function withoutEmpty(bars: readonly Drawn[]): Drawn[] {
  return bars.filter(({ asked, automatic }) => asked + automatic > 0);
}

/** How high one inquiry is drawn, so that the highest bar of these plots fits. */
export function fitScale(plots: readonly (readonly Drawn[])[], height: number): number {
  const most = Math.max(0, ...plots.flat().map(({ asked, automatic }) => asked + automatic));
  return most === 0 ? 0 : height / most;
}

/** The bars of a week that ends on this day (0 is Sunday). */
export function weekUntil(today: number, weekdays: readonly Bar[], names: readonly string[]): Drawn[] {
  return Array.from({ length: 7 }, (_, at) => {
    const day = (today + 1 + at) % 7;
    return { name: names[day] ?? '', asked: 0, automatic: 0, ...weekdays[day] };
  });
}

/** The bars of all hours of the day, of all sources together. */
export function sumHours(sources: readonly { hours: readonly Bar[] }[]): Drawn[] {
  return Array.from({ length: 24 }, (_, hour) => {
    const sum = (what: keyof Bar) => sources.reduce((all, { hours }) => all + (hours[hour]?.[what] ?? 0), 0);
    return { name: String(hour), asked: sum('asked'), automatic: sum('automatic') };
  });
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A length of time in its largest unit that is at least one: "22 s", "3 min". */
export function shortTime(ms: number, units: { s: string; min: string; h: string; d: string }): string {
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} ${units.s}`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} ${units.min}`;
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)} ${units.h}`;
  return `${Math.floor(ms / DAY)} ${units.d}`;
}

/** Marks of the scale on which lengths of time are drawn. */
export const MARKS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 8 * HOUR];

/** Where a length of time stands between 0 and 1: from 2 seconds to a day, each doubling as far from the last. */
export function placeAt(ms: number): number {
  const [from, to] = [Math.log(2 * SECOND), Math.log(DAY)];
  return (Math.min(Math.max(Math.log(Math.max(ms, 1)), from), to) - from) / (to - from);
}
