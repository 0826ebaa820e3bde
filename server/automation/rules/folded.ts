/** A thousand rules look at the same few texts, which may be long. */
const KEPT_MAX = 16;

/** Computes what it does of each of the latest texts once. */
export function kept<T extends object | string | boolean>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size === KEPT_MAX) known.clear();
    const found = compute(text);
    known.set(text, found);
    return found;
  };
}

/** A text without invisible characters and in one form of Unicode, with its white space but for control characters. */
export const shown = kept((text) => text.normalize('NFKC').replace(/[\p{C}\p{DI}\u2800]/gu, ''));

/**
 * A text as the least careful program reads it: without white space, letter case or invisible characters, in one form of
 * Unicode. Two texts that are the same only so are never told apart for certain.
 */
export const folded = kept((text) => {
  const bare = shown(text).replaceAll(/\s/g, '');
  // Upper case first: it has one form of ſ and of ß.
  return bare.toUpperCase().toLowerCase().normalize('NFKC');
});

/** A pattern that each text fits, folded, of which some spelling fits this one. */
export function foldedPattern(pattern: string): string {
  return pattern.split('*').map(folded).join('*');
}

const names = new WeakMap<object, Map<string, string[]>>();

/** The members of an object by their folded names. */
export function membersFolded(object: object): Map<string, string[]> {
  const known = names.get(object);
  if (known) return known;
  const found = Map.groupBy(Object.keys(object), (name) => (PLAIN.test(name) ? name.toLowerCase() : folded(name)));
  names.set(object, found);
  return found;
}

// Most names, which need no look in the map.
const PLAIN = /^[\w-]*$/;
