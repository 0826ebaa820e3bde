import { withoutUndefined } from '#shared/json.ts';
import { isTimeZone, Preferences } from '#shared/preferences.ts';

/** The time zone of this hub, its machine's (`TZ`), for people who chose none; UTC where the machine names none. */
export const HUB_TIME_ZONE = readMachineZone(new Intl.DateTimeFormat().resolvedOptions().timeZone);

/** Where the times of day of a person are counted: where they chose, else where the hub is. Never fails. */
export function timeZoneOf(preferences: string | null): string {
  return parsePreferences(preferences).timeZone ?? HUB_TIME_ZONE;
}

/** What a person chose, each choice by itself: one of a later version, or that a disk has damaged, is none. Never fails. */
export function parsePreferences(stored: string | null): Preferences {
  const members = toMembers(stored) ?? {};
  const read = Object.entries(Preferences.shape).map(([name, choice]) => [name, choice.safeParse(members[name]).data]);
  return withoutUndefined(Object.fromEntries(read) as Preferences);
}

/** Whether they chose a zone that nobody can tell any more: then no rule may go by the time. */
export function isZoneLost(stored: string | null): boolean {
  const members = toMembers(stored);
  return !members || !Preferences.shape.timeZone.safeParse(members['timeZone']).success;
}

function toMembers(stored: string | null): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(stored ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** A zone that can be counted in, whatever a machine says of itself. */
export function readMachineZone(named: string | undefined): string {
  return named !== undefined && isTimeZone(named) ? named : 'UTC';
}
