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

type Drawn = `${'crash' | 'fuzz'} on ${'SQLite' | 'Postgres'}`;

/** Seeds that always run. `npm run nightly` prints the seed of a failure: it is added here with what it showed. */
const PINNED: Record<Drawn, number[]> = {
  'crash on SQLite': [],
  'crash on Postgres': [],
  'fuzz on SQLite': [1],
  'fuzz on Postgres': [1],
};

/** The seeds of a test that draws its cases: the pinned ones, and one that nobody has tried. */
export const seedsOf = (test: Drawn): number[] => [...PINNED[test], crypto.getRandomValues(new Uint32Array(1))[0] ?? 0];

/** The seed of a kind of fault: the one that `npm run faults` was given, or one that nobody has tried. */
export const faultSeed = (): number =>
  Number(process.env['BECKON_FAULT_SEED'] ?? crypto.getRandomValues(new Uint32Array(1))[0]);

/** How many cases a kind of fault draws. */
export const faultCases = (few: number, many: number): number =>
  Number(process.env['BECKON_FAULT_CASES'] ?? casesOf(few, many));

/** How many cases a test draws: few in `npm test`, many in `npm run nightly`. */
export const casesOf = (few: number, many: number): number => (process.env['BECKON_TEST_NIGHTLY'] ? many : few);
