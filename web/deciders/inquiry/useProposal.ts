import { useSignal } from '@preact/signals';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Proposal } from '#shared/policies/decider.ts';
import type { Problem } from '#shared/problem.ts';
import { replyFrom } from '../../inquiry/reply/state.ts';
import { useSight } from '../../inquiry/calls/useSight.ts';
import { changeProposal } from './proposals.ts';

/** What a person can do with a proposal: no call that it approves is sent now before it was seen. */
export function useProposal(inquiry: Inquiry, proposal: Proposal) {
  const problem = useSignal<Problem | undefined>(undefined);
  const busy = useSignal(false);
  const sight = useSight(inquiry);
  return {
    problem: problem.value,
    busy: busy.value,
    sight,
    /** False where nothing came of it. */
    async change(how: 'stop' | 'now' | 'dismiss'): Promise<boolean> {
      if (busy.value) return false;
      if (how === 'now' && !sight.allows(replyFrom(inquiry, proposal.answer ?? {}, true))) {
        sight.show();
        return false;
      }
      busy.value = true;
      problem.value = (await changeProposal(proposal, how)).problem;
      busy.value = false;
      return problem.value === undefined;
    },
  };
}
