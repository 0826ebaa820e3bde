import type { Proposal } from '#shared/policies/decider.ts';

/** The seconds until a proposal counts, never below 0; undefined where it only suggests. */
export function secondsLeft({ decidesAt }: Pick<Proposal, 'decidesAt'>, now: number): number | undefined {
  return decidesAt === undefined ? undefined : Math.max(0, Math.ceil((Date.parse(decidesAt) - now) / 1000));
}
