/** The texts may be long. */
const TEXTS_MAX = 16;

/** Computes what it does of each of the latest texts once. */
export function memoizeText<T extends object | string | boolean>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size === TEXTS_MAX) known.clear();
    const found = compute(text);
    known.set(text, found);
    return found;
  };
}

/** Computes what it does of each object once. */
export function memoize<K extends object, T>(compute: (value: K) => T): (value: K) => T {
  const known = new WeakMap<K, { found: T }>();
  return (value) => {
    const before = known.get(value);
    if (before) return before.found;
    const found = compute(value);
    known.set(value, { found });
    return found;
  };
}
