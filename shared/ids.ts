import { decodeTime, encodeTime, monotonicFactory } from 'ulid';

export type IdPrefix =
  | 'inq'
  | 'per'
  | 'dev'
  | 'src'
  | 'dlv'
  | 'ntc'
  | 'grp'
  | 'enr'
  | 'tst'
  | 'ask'
  | 'ctc'
  | 'yol'
  | 'dcd'
  | 'prp'
  | 'run'
  | 'pky';

/**
 * A new id: the prefix and a lower-case ULID, 30 characters, ordered by `now` (ms since 1970); those of one millisecond that
 * are made one after the other, with no id of another millisecond between them, as they were made. Its 128 bits are a UUID of version 7 too.
 */
export function newId(prefix: IdPrefix, now: number): string {
  if (now !== millisecond) [millisecond, next] = [now, monotonicFactory(chance)];
  return `${prefix}_${asVersion7(next(now).toLowerCase())}`;
}

let millisecond = 0;
let next = monotonicFactory(chance);

const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';

/** Sets the six bits by which a UUID names its version and variant (RFC 9562); both forms begin with 48 bits of ms. */
function asVersion7(ulid: string): string {
  const [version, variant] = [LETTERS.indexOf(ulid[10] ?? ''), LETTERS.indexOf(ulid[13] ?? '')];
  const marked = [LETTERS[0b01110 | (version & 1)], LETTERS[0b01000 | (variant & 0b10011)]];
  return `${ulid.slice(0, 10)}${marked[0]}${ulid.slice(11, 13)}${marked[1]}${ulid.slice(14)}`;
}

/** The same id as a protocol names it that wants UUIDs. */
export function toUuid(id: string): string {
  const bits = Array.from(id.slice(4)).reduce((all, letter) => all * 32n + BigInt(LETTERS.indexOf(letter)), 0n);
  return bits
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The id that `toUuid` gives this UUID for; undefined where it is none. */
export function fromUuid(prefix: IdPrefix, uuid: string): string | undefined {
  if (!UUID.test(uuid)) return undefined;
  const digits = BigInt(`0x${uuid.replaceAll('-', '')}`)
    .toString(32)
    .padStart(26, '0');
  return `${prefix}_${[...digits].map((digit) => LETTERS[parseInt(digit, 32)]).join('')}`;
}

export const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** What no id made at this instant or later is below. */
export function firstIdAt(prefix: IdPrefix, at: number): string {
  return `${prefix}_${encodeTime(at).toLowerCase().padEnd(26, '0')}`;
}

/** When this id was made. */
export function madeAt(id: string): number {
  return decodeTime(id.slice(4).toUpperCase());
}

/** Matches exactly the ids that `newId` makes for this prefix. */
export function idPattern(prefix: IdPrefix): RegExp {
  return new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`);
}

// The library by itself asks the system for each of the 16 characters: 48 µs an id, against 2 from a pool.
const pool = new Uint8Array(4096);
let left = 0;

function chance(): number {
  if (left === 0) {
    crypto.getRandomValues(pool);
    left = pool.length;
  }
  left -= 1;
  return (pool[left] ?? 0) / 256;
}
