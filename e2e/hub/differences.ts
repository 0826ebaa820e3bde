import { isDeepStrictEqual } from 'node:util';

export type Difference<T> = { at: number; actual: T | undefined; expected: T | undefined };

/** The first three places where two long lists differ: a diff of thousands of objects takes the runner minutes. */
export function differences<T>(actual: readonly T[], expected: readonly T[]): Difference<T>[] {
  const places = Array.from({ length: Math.max(actual.length, expected.length) }, (_, at) => at);
  const wrong = places.filter(
    (at) => at >= actual.length || at >= expected.length || !isDeepStrictEqual(actual[at], expected[at]),
  );
  return wrong.slice(0, 3).map((at) => ({ at, actual: actual[at], expected: expected[at] }));
}
