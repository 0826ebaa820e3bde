import { createHash, randomUUID } from 'node:crypto';

export type HeldCalls = ReturnType<typeof createHeldCalls>;
/** `like`: what makes calls identical; `turn`: among which calls one turn is looked for, if any; `ordinal`: the place it had. */
type NewCall = { like: string; turn?: string; ordinal?: number | undefined };

/** Identical calls: which places are taken, and until when those are kept that were left with a question open. */
type Places = { taken: Set<number>; left: Map<number, number> };
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
}) {
  const places = new Map<string, Places>();
  const bursts = new Map<string, Burst>();
  let count = 0;

  const joinGroup = (turn: string): string => {
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
    begin({ like, turn, ordinal: wanted }: NewCall) {
      if (places.size >= 1000) for (const [key, one] of places) if (isEmpty(one, now())) places.delete(key);
      const own: Places = places.get(like) ?? { taken: new Set(), left: new Map() };
      places.set(like, own);
      const ordinal = placeFor(own, wanted, now());
      own.taken.add(ordinal);
      own.left.delete(ordinal);
      onCount((count += 1));
      let ended = false;
      return {
        /** Its place among the identical calls that this node holds. */
        ordinal,
        /** Calls of one turn share it; one that goes on waiting is of none any more. */
        group: turn !== undefined && wanted === undefined ? joinGroup(turn) : undefined,
        /** Leaves its place free, first of all for the same call if that comes again within `keptMs`. */
        end(keptMs = 0): void {
          if (ended) return;
          ended = true;
          onCount((count -= 1));
          own.taken.delete(ordinal);
          if (keptMs > 0) own.left.set(ordinal, now() + keptMs);
          if (isEmpty(own, now())) places.delete(like);
        },
      };
    },
  };
}

function placeFor({ taken, left }: Places, wanted: number | undefined, at: number): number {
  if (wanted !== undefined && !taken.has(wanted)) return wanted;
  const reserved = [...left].flatMap(([ordinal, until]) => (until > at ? [ordinal] : []));
  if (reserved.length > 0) return Math.min(...reserved);
  let ordinal = 0;
  while (taken.has(ordinal)) ordinal += 1;
  return ordinal;
}

function isEmpty({ taken, left }: Places, at: number): boolean {
  return taken.size === 0 && [...left.values()].every((until) => until <= at);
}
