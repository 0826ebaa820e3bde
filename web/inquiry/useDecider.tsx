import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import { visible } from '#shared/visible.ts';
import { lazy } from '../app/lazy.tsx';
import { contexts } from '../live/context.ts';
import { letDecide } from '../deciders/inquiry/proposals.ts';
import type { InquiryEntry } from '../live/entry.ts';
import { now } from '../ui/clock.ts';
import { Quiet } from '../ui/Button.tsx';
import type { Answering } from './reply/useReply.ts';
import { dialogWords } from './words.ts';

const Proposed = lazy(() => import('../deciders/inquiry/Proposed.tsx').then(({ Proposed: ready }) => ready));

/** What a decider adds to an open inquiry: what it proposes, the ways to ask it, and how long a person may overrule it. */
export function useDecider({ inquiry, proposal }: InquiryEntry, answering: Answering, shut: () => boolean) {
  const words = dialogWords();
  const problem = useSignal<Problem | undefined>(undefined);
  const used = useSignal<string | undefined>(undefined);
  const longest = useRef(1);
  const decider = contexts.value.get(inquiry.id)?.decider;
  const name = visible(decider?.name ?? '');
  const { state, why, decidesAt } = proposal ?? {};
  const leftMs = decidesAt === undefined ? 0 : Math.max(0, Date.parse(decidesAt) - now.value);
  longest.current = Math.max(longest.current, leftMs);
  const underWay = decidesAt !== undefined || (state === 'waiting' && why !== 'suggested');
  const standsIn = !underWay && (!proposal || (why === 'suggested' && state !== 'failed' && state !== 'stopped'));
  const ask = async (insteadOf?: 'decline') => {
    if (!shut()) problem.value = (await letDecide(inquiry.id, insteadOf)).problem;
  };
  return {
    problem: problem.value,
    also: decider && !underWay && <Quiet onPress={() => void ask()}>{words.letDecide(name)}</Quiet>,
    /** In place of declining, which stays in the menu. */
    hand: decider && standsIn ? { say: words.handTo(name), press: () => void ask('decline') } : undefined,
    /** A person who has written something here goes on writing, after a reload too. */
    holding: decidesAt !== undefined && answering.writtenAt === 0 && !answering.reply.own ? proposal : undefined,
    deciding:
      decidesAt === undefined || !proposal
        ? undefined
        : {
            say: words.decidesIn(visible(proposal.decider.name), Math.ceil(leftMs / 1000)),
            share: leftMs / longest.current,
          },
    /** Once taken over it stands in the answer; what is under way can still be stopped. */
    proposed: proposal && (underWay || proposal.id !== used.value) && (
      <Proposed {...{ inquiry, proposal, answering }} onUse={() => (used.value = proposal.id)} />
    ),
    used: used.value,
  };
}
