import { createHash, randomUUID } from 'node:crypto';

export type HeldCall = {
  /** Its place among the identical calls that this node holds; a call that ends leaves its place free. */
  ordinal: number;
  /** Calls of one turn share it. */
  group: string;
  end(): void;
};
export type HeldCalls = {
  /** `like`: what makes calls identical; `turn`: among which calls one turn is looked for. */
  begin(call: { like: string; turn: string }): HeldCall;
};

type Burst = { group: string; lastAt: number };

/**
 * The calls that this node holds. Two identical calls at the same time are two inquiries, while a call
 * that is issued again finds its own (ASK5): both follow from the smallest free ordinal.
 */
export function createHeldCalls({
  burstMs,
  now,
  onCount = () => {},
}: {
  burstMs: number;
  now: () => number;
  onCount?: (count: number) => void;
}): HeldCalls {
  const ordinals = new Map<string, Set<number>>();
  const bursts = new Map<string, Burst>();
  let count = 0;

  const groupOf = (turn: string): string => {
    const at = now();
    const known = bursts.get(turn);
    if (known && at - known.lastAt <= burstMs) {
      known.lastAt = at;
      return known.group;
    }
    if (bursts.size >= 1000) for (const [key, burst] of bursts) if (at - burst.lastAt > burstMs) bursts.delete(key);
    const group = createHash('sha256').update(`${turn} ${randomUUID()}`).digest('hex').slice(0, 32);
    bursts.set(turn, { group, lastAt: at });
    return group;
  };
  return {
    begin({ like, turn }) {
      const taken = ordinals.get(like) ?? new Set();
      ordinals.set(like, taken);
      let ordinal = 0;
      while (taken.has(ordinal)) ordinal += 1;
      taken.add(ordinal);
      onCount((count += 1));
      let ended = false;
      return {
        ordinal,
        group: groupOf(turn),
        end() {
          if (ended) return;
          ended = true;
          onCount((count -= 1));
          taken.delete(ordinal);
          if (taken.size === 0) ordinals.delete(like);
        },
      };
    },
  };
}
