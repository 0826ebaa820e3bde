import type { Place } from '../../../inquiries/testing/place.ts';
import { createHeldCalls } from '../../../platform/held-calls.ts';
import { createAdmission } from '../../../platform/http/admission.ts';
import { PACE } from '../../hold.ts';
import type { GateConfig } from '../config/store.ts';
import type { Gates } from '../hold.ts';

/** A gate that asks about every call. */
export const GATE: GateConfig = {
  name: 'notes',
  from: 'api',
  upstream: { url: 'http://127.0.0.1:9/mcp', headers: {} },
  rules: [],
  otherwise: 'ask',
  elicitation: 'client',
  deadline: 60,
  changedAt: 0,
};

/** What a node's one gate needs, without an upstream: what it holds is its own, the database is everybody's. */
export function gatesOn({ inquiries, database }: Place, gate: GateConfig, more: Partial<Gates> = {}): Gates {
  return {
    inquiries,
    asks: createAdmission(),
    find: async () => gate,
    catalogue: { tool: async () => undefined, tools: async () => [], forget: () => undefined },
    held: createHeldCalls({ burstMs: 1500, now: database.clock.now }),
    pace: { ...PACE, firstFrameMs: 1, progressMs: 10, burstMs: 1500, graceMs: 60_000 },
    log: undefined as never,
    count: () => undefined,
    ...more,
  };
}
