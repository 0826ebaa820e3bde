import { randomInt } from 'node:crypto';
import { hashToken, sameText } from '../../platform/secrets/secrets.ts';

/** How digits stand in the database: bound to their enrolment, so that no two rows look alike. */
export function numberHash(enrolmentId: string, digits: string): string {
  return hashToken(`${enrolmentId}:${digits}`);
}

/**
 * Three different two-digit numbers, of which the new device shows one. `stored` keeps the three for the device
 * that picks, and which it is only as a hash.
 */
export function drawNumbers(enrolmentId: string): { number: string; numbers: string[]; stored: string } {
  const numbers = new Set<string>();
  while (numbers.size < 3) numbers.add(String(randomInt(10, 100)));
  const drawn = [...numbers];
  const number = drawn[randomInt(3)] ?? '';
  return { number, numbers: drawn, stored: [...drawn, numberHash(enrolmentId, number)].join(' ') };
}

/** The three numbers as `drawNumbers` stored them. */
export function storedNumbers(stored: string): string[] {
  return stored.split(' ').slice(0, 3);
}

/** Whether this is the number the new device shows. */
export function isNumber(stored: string, enrolmentId: string, number: string): boolean {
  return sameText(stored.split(' ')[3] ?? '', numberHash(enrolmentId, number));
}

/** The number the new device shows, when it asks again. */
export function shownNumber(stored: string, enrolmentId: string): string {
  return storedNumbers(stored).find((number) => isNumber(stored, enrolmentId, number)) ?? '';
}
