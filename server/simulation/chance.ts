/** Chance from a seed: SplitMix64, whose 2^64 states make as many runs. */
export function chanceFrom(seed: bigint) {
  let state = seed & MASK;
  const next = (): bigint => {
    state = (state + 0x9e3779b97f4a7c15n) & MASK;
    return mix(state);
  };
  const unitOf = (bits: bigint) => Number(bits >> 11n) / 2 ** 53;
  const unit = () => unitOf(next());
  return {
    /** True so many times of a hundred. */
    percent: (share: number) => unit() * 100 < share,
    /** A whole number from `least` to `most`. */
    between: (least: number, most: number) => least + Math.floor(unit() * (most - least + 1)),
    /** The same for the same words, whoever draws first: which of two transactions ends first is the machine's affair. */
    fixed(least: number, most: number, words: string): number {
      let hash = seed & MASK;
      for (const byte of Buffer.from(words)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & MASK;
      return least + Math.floor(unitOf(mix(hash)) * (most - least + 1));
    },
    pick: <T>(values: readonly T[]): T | undefined => values[Math.floor(unit() * values.length)],
  };
}
export type Chance = ReturnType<typeof chanceFrom>;

const MASK = 0xffffffffffffffffn;

function mix(state: bigint): bigint {
  let mixed = ((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
  mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & MASK;
  return mixed ^ (mixed >> 31n);
}
