const GAMMA = 0x9e3779b97f4a7c15n;

/** Chance that repeats itself: SplitMix64, so that a printed seed brings the same run back. */
export type Chance = {
  /** 0 <= x < 1 */
  number(): number;
  /** 0 <= n < below */
  below(below: number): number;
  of<T>(list: readonly T[]): T;
  /** `count` different members. */
  some<T>(list: readonly T[], count: number): T[];
};

export function chanceOf(seed: number): Chance {
  let state = BigInt(seed);
  const number = (): number => {
    state = BigInt.asUintN(64, state + GAMMA);
    let mixed = state;
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n);
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
    return Number((mixed ^ (mixed >> 31n)) >> 11n) / 2 ** 53;
  };
  const below = (limit: number): number => Math.floor(number() * limit);
  const of = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  return {
    number,
    below,
    of,
    some(list, count) {
      const left = [...list];
      return Array.from(
        { length: Math.min(count, left.length) },
        () => left.splice(below(left.length), 1)[0] as (typeof left)[number],
      );
    },
  };
}

/** A seed nobody has tried, short enough to be typed again. */
export const freshSeed = (): number => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
