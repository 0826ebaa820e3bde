import { readExact, writeExact } from './exact.ts';

/** True when two JSON texts say the same, digit for digit; spaces do not count. */
export function isSameJson(one: string, other: string): boolean {
  const [a, b] = [readExact(one), readExact(other)];
  return a !== undefined && b !== undefined && writeExact(a) === writeExact(b);
}
