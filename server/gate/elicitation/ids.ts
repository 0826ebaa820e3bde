import { createHmac, hkdfSync } from 'node:crypto';
import { seal, unseal } from '../../platform/secrets/secrets.ts';
import { isId, type Id } from '../messages.ts';

const PREFIX = 'beckon.';

/** The ids under which a client hears what its upstream asks, on every node the same: it can guess none and make none. */
export type Ids = {
  shown(place: string, id: Id): string;
  /** The upstream's id behind one that was shown at this place; undefined for any other. */
  given(place: string, id: unknown): Id | undefined;
};

export function createIds(sealingKey: Buffer): Ids {
  const key = Buffer.from(hkdfSync('sha256', sealingKey, '', 'ids of what upstreams ask', 32));
  return {
    shown(place, id) {
      const text = JSON.stringify([place, id]);
      return PREFIX + seal(key, text, createHmac('sha256', key).update(text).digest().subarray(0, 12));
    },
    given(place, id) {
      if (typeof id !== 'string' || !id.startsWith(PREFIX)) return undefined;
      try {
        const [at, own] = JSON.parse(unseal(key, id.slice(PREFIX.length))) as unknown[];
        return at === place && isId(own) ? own : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
