import type { Inquiry } from './inquiry.ts';

type Approved = Pick<Inquiry, 'resolution' | 'collectedAt'>;

/** Whether what was approved may not run any more (APR1). */
export function hasEnded({ resolution }: Pick<Approved, 'resolution'>, now: number): boolean {
  return resolution?.validUntil !== undefined && now >= Date.parse(resolution.validUntil);
}

/** Whether an approval ended before its source had it: nothing may ever run by it. */
export function endedUnused(inquiry: Approved, now: number): boolean {
  const { resolution, collectedAt } = inquiry;
  return hasEnded(inquiry, now) && !(collectedAt !== undefined && collectedAt < (resolution?.validUntil ?? ''));
}
