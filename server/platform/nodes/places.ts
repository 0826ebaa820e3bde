import { AppError } from '#shared/problem.ts';
import { createCounts } from '../counts.ts';

/** A call counts once for each such part of what it brought, because that is kept while the call waits. */
const PART_BYTES = 16_384;

const REFUSED = {
  wait: 'calls of this credential wait already on this node. Let some end, or read the answers later by their ids.',
  stream: 'streams of this credential are open already on this node. Close some.',
};

export type PlaceLimits = { wait: number; stream: number };
export type Places = ReturnType<typeof createPlaces>;

/** Counts the calls that each credential keeps open on this node, so that no credential takes the memory of all. */
export function createPlaces(limits: PlaceLimits = { wait: 2_000, stream: 500 }) {
  const taken = createCounts();
  return {
    /** Takes a place until the result is called; throws 429 where the credential has none left. Taken before anything is stored. */
    take(kind: keyof PlaceLimits, callerId: string, bytes = 0): () => void {
      const key = `${kind} ${callerId}`;
      const weight = Math.max(1, Math.ceil(bytes / PART_BYTES));
      const before = taken.of(key);
      if (before + weight > limits[kind]) throw new AppError(429, `${kind}.too_many`, `${before} ${REFUSED[kind]}`);
      return taken.add(key, weight);
    },
    /** How much of its limit a credential has taken. */
    taken: (kind: keyof PlaceLimits, callerId: string): number => taken.of(`${kind} ${callerId}`),
  };
}
