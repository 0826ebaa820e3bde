/** A thousand rules look at the same few texts, which may be long. */
const KEPT_MAX = 16;
const kept = new Map<string, string>();

/**
 * A text as the least careful program reads it: trimmed, without letter case or invisible characters, in one form of
 * Unicode. Two texts that are the same only so are never told apart for certain.
 */
export function folded(text: string): string {
  const known = kept.get(text);
  if (known !== undefined) return known;
  if (kept.size === KEPT_MAX) kept.clear();
  const plain = text.normalize('NFKC').replace(/[\p{C}\p{DI}\u2800]/gu, '');
  // Upper case first: it has one form of ſ and of ß.
  const found = plain.toUpperCase().toLowerCase().normalize('NFKC').trim();
  kept.set(text, found);
  return found;
}

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
