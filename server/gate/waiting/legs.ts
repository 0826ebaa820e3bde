import { createHash, hkdfSync } from 'node:crypto';
import { seal, unseal } from '../../platform/secrets/secrets.ts';
import type { ToolCall } from '../call.ts';

/** So old a leg may be that its client comes back with. */
const LIFE_MS = 600_000;
const PREFIX = 'beckon-gate.';
/** What is shorter holds less than a seal has around its text. */
const SHORTEST = PREFIX.length + 40;

/** What a modern client carries from one leg of a held call to the next, in a `requestState` of the gate's own. */
export type Leg = {
  /** The question that it waits for; absent where the leg is too old: then it is any call that came again. */
  inquiryId?: string | undefined;
  /** Its place among identical calls. */
  ordinal: number;
  round: number;
};
/** The one call that a leg belongs to. */
export type LegOf = { gate: string; sourceId: string; call: ToolCall };
export type Legs = {
  mint(of: LegOf, leg: Leg): string;
  /**
   * The leg in a call's parameters. Undefined where they hold no state of this hub's gates: then it is the
   * upstream's. "another": it was made for another call, gate or source, or comes with what no leg was asked for.
   */
  read(of: LegOf, params: Record<string, unknown> | undefined): Leg | 'another' | undefined;
};

/** Seals legs with a key that all nodes share, so that a client can read nothing in them and make none. */
export function createLegs({ sealingKey, now }: { sealingKey: Buffer; now: () => number }): Legs {
  const key = Buffer.from(hkdfSync('sha256', sealingKey, '', 'legs of held calls', 32));
  return {
    mint: (of, leg) => PREFIX + seal(key, JSON.stringify({ ...leg, of: hashOf(of), until: now() + LIFE_MS })),
    read(of, params) {
      const state = params?.['requestState'];
      const opened = typeof state === 'string' ? open(key, state) : undefined;
      if (!opened) return undefined;
      const { inquiryId, ordinal, round, until } = opened;
      if (opened.of !== hashOf(of) || params?.['inputResponses'] !== undefined) return 'another';
      return until > now() ? { inquiryId, ordinal, round } : { ordinal, round };
    },
  };
}

function open(key: Buffer, state: string): (Leg & { of: string; until: number }) | undefined {
  if (!state.startsWith(PREFIX) || state.length < SHORTEST) return undefined;
  try {
    return JSON.parse(unseal(key, state.slice(PREFIX.length))) as Leg & { of: string; until: number };
  } catch {
    return undefined;
  }
}

function hashOf({ gate, sourceId, call }: LegOf): string {
  return createHash('sha256')
    .update(JSON.stringify([gate, sourceId, call.name, call.argsText]))
    .digest('base64url');
}
