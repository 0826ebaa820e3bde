import type { Decider } from '#shared/policies/decider.ts';
import type { toldOf } from './question.ts';

/** One call of a decider, and the log of it. */
export type Call = {
  decider: CalledDecider;
  told: ReturnType<typeof toldOf>;
  schema: Record<string, unknown>;
  strict: boolean;
  /** What it replied first, and what was wrong with that. */
  before?: { reply: string; faults: string } | undefined;
  signal: AbortSignal;
  log: Log;
};

export type Log = { sent: string; received: string; tokensIn?: number | undefined; tokensOut?: number | undefined };

/** A decider with its key in clear, in memory alone. */
export type CalledDecider = Decider & { key?: string | undefined };
