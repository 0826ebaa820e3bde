import { readArgsText } from '../../live/inquiries.ts';
import type { InquiryEntry } from '../../live/entry.ts';
import { readKind } from '../stakes.ts';

/** The questions of one source and run, under one head. */
export type Bunch = { key: string; name: string; run?: string; entries: InquiryEntry[] };
/** Approvals ask to run calls, forms ask several things at once, everything else is a question. */
export type Sort = 'approvals' | 'questions' | 'forms';
export const SORTS: readonly Sort[] = ['approvals', 'questions', 'forms'];
/** What the person asked to see of the list. */
export type Filter = {
  due: 'all' | 'urgent' | 'soon';
  kind: 'all' | Sort;
  source: string;
  find: string;
};

export const NO_FILTER: Filter = { due: 'all', kind: 'all', source: '', find: '' };
const SOON_MS = 20 * 60_000;
// A run of which this many are due soon stays one bunch, so that it can be decided as one.
const FEW_SOON = 2;

/** Which run a question belongs to: the same source and the same run, thread or group. */
export function runKey({ inquiry: { source, context, group } }: Pick<InquiryEntry, 'inquiry'>): string {
  return JSON.stringify([source.id, context?.runId ?? context?.threadId ?? group ?? context?.cwd ?? '']);
}

/** What that run is called, without its source. */
export function runName({ context, group }: InquiryEntry['inquiry']): string | undefined {
  return context?.runId ?? context?.threadId ?? group ?? context?.cwd?.split(/[/\\]/).findLast(Boolean);
}

export function isUrgent({ inquiry }: InquiryEntry): boolean {
  return inquiry.urgency === 'high';
}

export function isSoon({ inquiry }: InquiryEntry, now: number): boolean {
  return Date.parse(inquiry.deadlineAt) - now <= SOON_MS;
}

/** Which of the three it is. */
export function readSort({ inquiry }: InquiryEntry): Sort {
  const kind = readKind(inquiry);
  return kind === 'approval' ? 'approvals' : kind === 'form' ? 'forms' : 'questions';
}

/** Those that fit the filter, in their order; words are found in titles, sources, runs, folders and calls. */
export function filtered(
  entries: readonly InquiryEntry[],
  { due, kind, source, find }: Filter,
  now: number,
): InquiryEntry[] {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter(
    (entry) =>
      (due === 'all' || (due === 'urgent' ? isUrgent(entry) : isSoon(entry, now))) &&
      (kind === 'all' || readSort(entry) === kind) &&
      (source === '' || entry.inquiry.source.id === source) &&
      (words.length === 0 || holds(entry, words)),
  );
}

/** What is urgent or due soon first, then a bunch for each source and run, the one that is due first on top. */
export function toBunches(
  entries: readonly InquiryEntry[],
  now: number,
): { pressing: InquiryEntry[]; bunches: Bunch[] } {
  const soon = new Map<string, number>();
  for (const entry of entries) if (isSoon(entry, now)) soon.set(runKey(entry), (soon.get(runKey(entry)) ?? 0) + 1);
  const presses = (entry: InquiryEntry) =>
    isUrgent(entry) || (isSoon(entry, now) && (soon.get(runKey(entry)) ?? 0) <= FEW_SOON);
  const bunches = new Map<string, Bunch>();
  for (const entry of entries) {
    if (presses(entry)) continue;
    const key = runKey(entry);
    const run = runName(entry.inquiry);
    const bunch = bunches.get(key) ?? { key, name: entry.inquiry.source.name, ...(run ? { run } : {}), entries: [] };
    bunch.entries.push(entry);
    bunches.set(key, bunch);
  }
  const pressing = entries.filter(presses).toSorted((a, b) => Number(isUrgent(b)) - Number(isUrgent(a)));
  return { pressing, bunches: [...bunches.values()] };
}

function holds({ inquiry }: InquiryEntry, words: string[]): boolean {
  const { title, prompt = '', source, context, actions = [] } = inquiry;
  const text = [
    title,
    prompt,
    source.name,
    context?.runId ?? '',
    context?.cwd ?? '',
    ...actions.map(({ name }) => name),
    ...actions.map((_, at) => readArgsText(inquiry, at)),
  ]
    .join('\n')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}
