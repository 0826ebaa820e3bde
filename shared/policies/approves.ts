import type { Then } from './rule.ts';

/** Whether what is done may be an approval: only then nothing fits that was not understood whole. */
export function approves(then: Then): boolean {
  return then === 'approve' || (typeof then === 'object' && 'decider' in then);
}
