import type { Inquiry } from '#shared/inquiry.ts';
import type { InquiryEntry } from '../../live/entry.ts';
import { isWrittenElsewhere } from '../../live/inquiries.ts';
import { destroys } from '../destroys.ts';
import { type Apart, decisionKey, likeness } from './like.ts';

/** What of a run is approved or rejected together, and of what is not, how much for which reason. */
export function ofRun(
  entries: readonly InquiryEntry[],
  verdict: 'approve' | 'reject',
  now: number,
): { inquiries: Inquiry[]; apart: Map<Apart | 'answering', number> } {
  const inquiries: Inquiry[] = [];
  const apart = new Map<Apart | 'answering', number>();
  for (const entry of entries) {
    const { inquiry, draft } = entry;
    if (!inquiry.actions) continue;
    const like = likeness(entry);
    const why = 'apart' in like ? like.apart : draft && isWrittenElsewhere(draft, now) ? 'answering' : undefined;
    if (why) apart.set(why, (apart.get(why) ?? 0) + 1);
    else if (decisionKey(inquiry.actions[0], verdict)) inquiries.push(inquiry);
  }
  // What must not be missed is read first.
  const risk = ({ actions = [] }: Inquiry) => Number(actions.some(destroys));
  return { inquiries: inquiries.toSorted((a, b) => risk(b) - risk(a)), apart };
}
