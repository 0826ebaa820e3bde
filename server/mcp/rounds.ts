import { createHash, hkdfSync } from 'node:crypto';
import { seal, unseal } from '../platform/secrets/secrets.ts';

type RoundsOptions = {
  /** Of the calls of which part of the hub; each has a key of its own. */
  of: string;
  /** What its states begin with. */
  prefix: string;
  /** So many rounds a call makes at most. */
  most: number;
  /** A state is taken for so long; absent: as long as its client has it. */
  life?: { ms: number; now: () => number };
};
/** What a round carries to the next, and its number. */
export type Round<Carried> = Carried & { round: number };
export type Rounds<Carried> = ReturnType<typeof createRounds<Carried>>;
type Sealed<Carried> = { carried: Round<Carried>; of: string; until?: number | undefined };

/** What is shorter holds less than a seal has around its text. */
const SHORTEST = 40;

/**
 * What a client of 2026-07-28 carries as `requestState` from one round of a call that waits to the next, sealed with a key
 * that all nodes share: it can read nothing in it and make none. `call` names the one call that a state belongs to.
 */
export function createRounds<Carried>(sealingKey: Buffer, { of, prefix, most, life }: RoundsOptions) {
  const key = Buffer.from(hkdfSync('sha256', sealingKey, '', of, 32));
  const hashCall = (call: string[]) => createHash('sha256').update(JSON.stringify(call)).digest('hex');
  return {
    /** The number of the round after this one; undefined where the client has followed often enough. */
    after(last: { round: number } | undefined): number | undefined {
      const round = (last?.round ?? 0) + 1;
      return round < most ? round : undefined;
    },
    mint(call: string[], carried: Round<Carried>): string {
      const until = life && life.now() + life.ms;
      return prefix + seal(key, JSON.stringify({ carried, of: hashCall(call), until } satisfies Sealed<Carried>));
    },
    /**
     * The round in a call's parameters. Undefined where they hold no state that was made here, or none that counts any
     * more. "another": it was made for another call, or comes with what no round was asked for.
     */
    read(call: string[], params: Record<string, unknown> | undefined): Round<Carried> | 'another' | undefined {
      const { requestState: state, inputResponses } = params ?? {};
      if (typeof state !== 'string' || !state.startsWith(prefix) || state.length < prefix.length + SHORTEST)
        return undefined;
      try {
        const sealed = JSON.parse(unseal(key, state.slice(prefix.length))) as Sealed<Carried>;
        if (sealed.of !== hashCall(call) || inputResponses !== undefined) return 'another';
        return life && (sealed.until ?? 0) <= life.now() ? undefined : sealed.carried;
      } catch {
        return undefined;
      }
    },
  };
}
