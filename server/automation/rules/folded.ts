import { memoizeText, memoize } from '../../platform/memoize.ts';
/** A text without invisible characters and in one form of Unicode, with its white space but for control characters. */
export const shown = memoizeText((text) => text.normalize('NFKC').replace(/[\p{C}\p{DI}\u2800]/gu, ''));

/**
 * A text as the least careful program reads it: without white space, letter case or invisible characters, in one form of
 * Unicode. Two texts that are the same only so are never told apart for certain.
 */
export const folded = memoizeText((text) => {
  const bare = shown(text).replaceAll(/\s/g, '');
  // Upper case first: it has one form of ſ and of ß.
  return bare.toUpperCase().toLowerCase().normalize('NFKC');
});

/** A pattern that each text fits, folded, of which some spelling fits this one. */
export function foldedPattern(pattern: string): string {
  return pattern.split('*').map(folded).join('*');
}

/** The members of an object by their folded names. */
export const membersFolded = memoize((object: object) =>
  Map.groupBy(Object.keys(object), (name) => (PLAIN.test(name) ? name.toLowerCase() : folded(name))),
);

// Most names, which need no look in the map.
const PLAIN = /^[\w-]*$/;
