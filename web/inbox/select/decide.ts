import type { Resolution } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { undoUntil } from '../../inquiry/reply/useReply.ts';
import { noteDecision } from '../../inquiry/view/presses.ts';
import { answer, discard } from '../../live/store.ts';
import { decisionKey, type Verdict } from './like.ts';

/** What became of the answers: how many counted, how many wait for a line, and which came second or were refused. */
export type Outcome = {
  won: number;
  queued: number;
  lost: { inquiry: Inquiry; resolution?: Resolution }[];
};

/** Gives each call an answer of its own, all at once; the first answer wins for each by itself (RES1). */
export async function decideTogether(inquiries: readonly Inquiry[], verdict: Verdict): Promise<Outcome> {
  const outcome: Outcome = { won: 0, queued: 0, lost: [] };
  // What shows up under the finger next was not meant.
  noteDecision();
  // One moment for all, so that all can be undone together.
  const ends = inquiries.map((inquiry) => undoUntil(inquiry, {}, true));
  const leavesAt = ends.includes(undefined) ? undefined : ends.toSorted((a = '', b = '') => (a < b ? -1 : 1))[0];
  await Promise.all(
    inquiries.map(async (inquiry) => {
      const body = toBody(inquiry, verdict);
      if (!body) return void outcome.lost.push({ inquiry });
      const said = await answer(inquiry.id, body, leavesAt);
      if (said === 'queued' || said === 'held') return void outcome.queued++;
      if ('hand' in said) return void outcome.won++;
      if ('problem' in said) outcome.lost.push({ inquiry });
      else if (said.won) outcome.won++;
      else outcome.lost.push({ inquiry, resolution: said.resolution });
      // The dialog says what came of it, so nothing else has to.
      if (!('problem' in said)) discard(inquiry.id);
      return undefined;
    }),
  );
  return outcome;
}

function toBody({ actions = [] }: Inquiry, verdict: Verdict): Parameters<typeof answer>[1] | undefined {
  if (verdict === 'decline') return { outcome: 'declined' };
  const decision = decisionKey(actions[0], verdict);
  return decision && { decisions: [decision] };
}
