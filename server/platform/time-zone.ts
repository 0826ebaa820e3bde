import { isTimeZone, Preferences } from '#shared/preferences.ts';

/** The time zone of this hub, its machine's (`TZ`), for people who chose none; UTC where the machine names none. */
export const HUB_TIME_ZONE = readMachineZone(new Intl.DateTimeFormat().resolvedOptions().timeZone);

/** Where the times of day of a person are counted: where they chose, else where the hub is. Never fails. */
export function timeZoneOf(preferences: string | null): string {
  // What this version cannot read is no choice, as on the page.
  return Preferences.safeParse(JSON.parse(preferences ?? '{}')).data?.timeZone ?? HUB_TIME_ZONE;
}

/** A zone that can be counted in, whatever a machine says of itself. */
export function readMachineZone(named: string | undefined): string {
  return named !== undefined && isTimeZone(named) ? named : 'UTC';
}
