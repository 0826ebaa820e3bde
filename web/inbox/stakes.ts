import { signal } from '@preact/signals';
import { kindOf } from '#shared/fit.ts';
import type { Action, Inquiry } from '#shared/inquiry.ts';
import type { KindName } from './words.ts';

type Stake = 'urgent' | 'destructive' | 'caution';

/** What tells whether a call destroys something, once it was fetched: a short list is read without it. */
export const destructiveTest = signal<((action: Action) => boolean) | undefined>(undefined);

/** Which of the six kinds an inquiry is for whoever answers it. */
export function readKind(inquiry: Inquiry): KindName {
  const kind = kindOf(inquiry);
  if (kind === 'actions') return 'approval';
  if (kind === 'document' || kind === 'link') return kind;
  const [only, more] = inquiry.questions ?? [];
  if (more || only?.type === 'form') return 'form';
  return only && only.type !== 'text' ? 'choice' : 'question';
}

/** All that is at stake, the most pressing first. */
export function readStakes({ urgency, actions = [] }: Inquiry): Stake[] {
  const stakes: [Stake, boolean][] = [
    ['urgent', urgency === 'high'],
    ['destructive', destructiveTest.value !== undefined && actions.some(destructiveTest.value)],
    ['caution', actions.some(({ caution }) => caution)],
  ];
  return stakes.flatMap(([stake, is]) => (is ? [stake] : []));
}
