import type { By } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { HistoryFilter } from './words.ts';

/** The inquiries that a filter and a typed word leave, in their order. */
export function sift(
  items: readonly Inquiry[],
  filter: HistoryFilter,
  word: string,
  handle: string | undefined,
): Inquiry[] {
  const sought = word.trim().toLocaleLowerCase();
  return items.filter(
    (inquiry) => passes(inquiry, filter, handle) && (sought === '' || textOf(inquiry).includes(sought)),
  );
}

/** The same inquiries, one list for each day. */
export function byDay<T extends string>(items: readonly Inquiry[], dayOf: (at: number) => T): [T, Inquiry[]][] {
  const days = new Map<T, Inquiry[]>();
  for (const inquiry of items) {
    const day = dayOf(Date.parse(inquiry.resolution?.at ?? inquiry.openedAt));
    days.set(day, [...(days.get(day) ?? []), inquiry]);
  }
  return [...days];
}

function passes({ resolution, late }: Inquiry, filter: HistoryFilter, handle: string | undefined): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'mine':
      return resolution?.by.kind === 'person' && resolution.by.handle === handle;
    case 'rule':
      return resolution?.by.kind === 'policy' || resolution?.by.kind === 'decider';
    case 'late':
      return (late ?? []).length > 0;
    case 'expired':
      return resolution?.outcome === 'expired';
  }
}

function textOf({ title, source, resolution, late }: Inquiry): string {
  const who = (by: By | undefined) => (by?.kind === 'person' ? `${by.handle} ${by.device.name}` : (by?.label ?? ''));
  return [
    title,
    source.name,
    resolution?.text,
    resolution?.message,
    who(resolution?.by),
    ...(late ?? []).flatMap((one) => [one.text, who(one.by)]),
  ]
    .join('\n')
    .toLocaleLowerCase();
}
