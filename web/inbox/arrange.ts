import type { InquiryEntry } from '../live/entry.ts';
import { isCut } from '../live/inquiries.ts';

/** One card of the list: a single inquiry, or those of one group. */
export type Card = { key: string; entries: InquiryEntry[] };

/** What the list shows: what waits in its order, groups as one card at the place of their first, what was dismissed here, what was cut, and what was set apart. */
export function arrange(entries: readonly InquiryEntry[]): {
  waiting: InquiryEntry[];
  queued: InquiryEntry[];
  cards: Card[];
  dismissed: InquiryEntry[];
  cut: InquiryEntry[];
  later: InquiryEntry[];
} {
  // Of an answer that can still be undone the bar tells.
  const open = entries.filter(({ resolution, receipt, sending }) => !resolution && !receipt && sending !== 'held');
  const dismissed = open.filter(({ inquiry }) => inquiry.dismissed === true);
  const leaves = ({ sending }: InquiryEntry) => sending === 'queued';
  const here = open.filter(({ inquiry }) => inquiry.dismissed !== true);
  const queued = here.filter(leaves);
  const stays = here.filter((one) => !leaves(one));
  const cut = stays.filter(({ inquiry }) => isCut(inquiry));
  const later = stays.filter(({ inquiry, laterAt }) => !isCut(inquiry) && laterAt !== undefined);
  const waiting = stays.filter(({ inquiry, laterAt }) => !isCut(inquiry) && laterAt === undefined);
  const cards = new Map<string, InquiryEntry[]>();
  for (const entry of waiting) {
    const { group, source, id } = entry.inquiry;
    const key = group === undefined ? id : JSON.stringify([source.id, group]);
    cards.set(key, [...(cards.get(key) ?? []), entry]);
  }
  return { waiting, queued, dismissed, cut, later, cards: [...cards].map(([key, entries]) => ({ key, entries })) };
}
