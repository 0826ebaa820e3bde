import { hash, randomInt } from 'node:crypto';

/** Without what is easily mistaken for another. */
const LETTERS = '23456789abcdefghjkmnpqrstuvwxyz';
const LENGTH = 16;
const COUNT = 10;

/** New printed codes, 79 bits each: `7k2m-9xpq-…`. */
export function makeCodes(): string[] {
  return Array.from({ length: COUNT }, () => {
    const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
    return (letters.match(/.{4}/g) ?? []).join('-');
  });
}

/** How a code stands in the database, however it was typed. */
export function codeHash(code: string): string {
  return hash('sha256', code.toLowerCase().replaceAll(/[^0-9a-z]/g, ''));
}
