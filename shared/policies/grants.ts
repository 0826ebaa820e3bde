import type { Then } from './rule.ts';

/** Whether what is done may let something happen: an approval, an answer, a stand-in. Only then nothing fits that cannot be told. */
export function grants(then: Then): boolean {
  return typeof then === 'string'
    ? ['approve', 'suggested', 'random'].includes(then)
    : 'answer' in then || 'decider' in then;
}
