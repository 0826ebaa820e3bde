import type { Held } from '../live/held.ts';

/** One card of the list: a single inquiry, or those of one group. */
export type Card = { key: string; entries: Held[] };

/** What the list shows: what waits in its order, groups as one card at the place of their first, and what was dismissed here. */
export function arrange(held: readonly Held[]): { waiting: Held[]; queued: Held[]; cards: Card[]; dismissed: Held[] } {
  // Of an answer that can still be undone the bar tells.
  const open = held.filter(({ fate, receipt, sending }) => !fate && !receipt && sending !== 'held');
  const dismissed = open.filter(({ inquiry }) => inquiry.dismissed === true);
  const leaves = ({ sending }: Held) => sending === 'queued';
  const queued = open.filter((one) => one.inquiry.dismissed !== true && leaves(one));
  const waiting = open.filter((one) => one.inquiry.dismissed !== true && !leaves(one));
  const cards = new Map<string, Held[]>();
  for (const entry of waiting) {
    const { group, source, id } = entry.inquiry;
    const key = group === undefined ? id : JSON.stringify([source.id, group]);
    cards.set(key, [...(cards.get(key) ?? []), entry]);
  }
  return { waiting, queued, dismissed, cards: [...cards].map(([key, entries]) => ({ key, entries })) };
}
