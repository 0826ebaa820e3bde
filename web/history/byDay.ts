import type { Inquiry } from '#shared/inquiry.ts';

/** Settled inquiries, the last settled first, one list for each day. */
export function byDay<T extends string>(items: readonly Inquiry[], dayOf: (at: number) => T): [T, Inquiry[]][] {
  const days = new Map<T, Inquiry[]>();
  for (const inquiry of items.toSorted((a, b) => settledAt(b) - settledAt(a))) {
    const day = dayOf(settledAt(inquiry));
    days.set(day, [...(days.get(day) ?? []), inquiry]);
  }
  return [...days];
}

function settledAt({ resolution, openedAt }: Inquiry): number {
  return Date.parse(resolution?.at ?? openedAt);
}
