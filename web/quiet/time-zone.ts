import type { Me } from '#shared/wire.ts';
import { me } from '../live/session.ts';

export type Counted = {
  zone: string;
  /** This person chose none. */
  ofHub: boolean;
};

/** Where this person's times of day are counted; undefined where an older hub does not say its own, and takes no choice. */
export function zoneCounted(): Counted | undefined {
  const { preferences, hubTimeZone } = (me.value as Partial<Me> | undefined) ?? {};
  if (hubTimeZone === undefined) return undefined;
  return { zone: preferences?.timeZone ?? hubTimeZone, ofHub: preferences?.timeZone === undefined };
}

/**
 * The time zone of this device, where it is a place and its clock is another one than that in which a person is counted.
 * "UTC" is what a browser says that tells nobody where it is.
 */
export function zoneElsewhere({ zone }: Counted, now: number): string | undefined {
  const here = zoneHere();
  return here === undefined || isSameTime(zone, here, now) ? undefined : here;
}

/** The city by whose time a person is counted, where the clock of this device is another one; "" elsewhere. */
export function cityElsewhere(now: number): string {
  const counted = zoneCounted();
  return counted && zoneElsewhere(counted, now) !== undefined ? cityOf(counted.zone) : '';
}

/** What the browser says, if that names a place. */
export function zoneHere(): string | undefined {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions() as { timeZone?: string };
  return timeZone !== undefined && /^(?!Etc\/)\w+\//.test(timeZone) ? timeZone : undefined;
}

const DAY_MS = 86_400_000;
const YEAR_DAYS = 366;

/**
 * Whether two zones show the same time for a year to come, as two names of one zone do. A zone that this browser does not
 * know differs from none: one of the two names may only be newer.
 */
export function isSameTime(one: string, other: string, now: number): boolean {
  if (one === other) return true;
  try {
    const [a, b] = [one, other].map(
      (timeZone) => new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
    );
    for (let day = 0; day <= YEAR_DAYS; day++)
      if (a?.format(now + day * DAY_MS) !== b?.format(now + day * DAY_MS)) return false;
    return true;
  } catch {
    return true;
  }
}

/** "Buenos Aires" of America/Argentina/Buenos_Aires. */
export function cityOf(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}
