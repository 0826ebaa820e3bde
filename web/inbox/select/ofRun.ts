import type { Inquiry } from '#shared/inquiry.ts';
import type { InquiryEntry } from '../../live/entry.ts';
import { isWrittenElsewhere } from '../../live/inquiries.ts';
import { destroys } from '../destroys.ts';
import { type Apart, decisionKey, likeness } from './like.ts';

/** Why a call of a run is not in its list; `refuses`: its sender does not take this decision. */
export type LeftOut = Apart | 'answering' | 'refuses';

/** What of a run is approved or rejected together, and of what is not, how much for which reason. */
export function ofRun(
  entries: readonly InquiryEntry[],
  verdict: 'approve' | 'reject',
  now: number,
): { inquiries: Inquiry[]; apart: Map<LeftOut, number> } {
  const inquiries: Inquiry[] = [];
  const apart = new Map<LeftOut, number>();
  for (const entry of entries) {
    const { inquiry, draft } = entry;
    if (!inquiry.actions) continue;
    const like = likeness(entry);
    const why =
      'apart' in like
        ? like.apart
        : draft && isWrittenElsewhere(draft, now)
          ? 'answering'
          : decisionKey(inquiry.actions[0], verdict)
            ? undefined
            : 'refuses';
    if (why) apart.set(why, (apart.get(why) ?? 0) + 1);
    else inquiries.push(inquiry);
  }
  // What must not be missed is read first.
  const risk = ({ actions = [] }: Inquiry) => Number(actions.some(destroys));
  return { inquiries: inquiries.toSorted((a, b) => risk(b) - risk(a)), apart };
}
