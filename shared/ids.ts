import { ulid } from 'ulid';

export type IdPrefix = 'inq' | 'per' | 'dev' | 'src' | 'dlv' | 'ntc' | 'grp' | 'enr';

/** A new id: the prefix and a lower-case ULID, 30 characters, ordered by `now` (ms since 1970). */
export function newId(prefix: IdPrefix, now: number): string {
  return `${prefix}_${ulid(now).toLowerCase()}`;
}

/** Matches exactly the ids that `newId` makes for this prefix. */
export function idPattern(prefix: IdPrefix): RegExp {
  return new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`);
}
