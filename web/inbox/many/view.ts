import { computed, effect, signal } from '@preact/signals';
import type { InquiryEntry } from '../../live/entry.ts';
import { entries } from '../../live/store.ts';
import { now } from '../../ui/clock.ts';
import { arrange } from '../arrange.ts';
import { likeness } from '../select/like.ts';
import { type Bunch, toBunches, type Filter, filtered, NO_FILTER, runKey } from './bunches.ts';
import { isLong, selection, shownOrder } from './long.ts';

const MINUTE = 60_000;

/** Rows of a bunch before it is opened, and how many one press adds. */
const FOLDED_ROWS = 5;
const MORE_ROWS = 50;

/** What the person set in the list; it outlives a visit to an inquiry or another page. */
export const filter = signal<Filter>(NO_FILTER);
export const searching = signal(false);
export const rowsShown = signal<ReadonlyMap<string, number>>(new Map());
const minute = computed(() => Math.floor(now.value / MINUTE) * MINUTE);

/** What waits, filtered and in bunches; undefined while it is short enough for a plain list. */
export const many = computed(() => {
  if (!isLong.value) return undefined;
  const { waiting } = arrange(entries.value);
  const shown = filtered(waiting, filter.value, minute.value);
  return { waiting, shown, ...toBunches(shown, minute.value) };
});

effect(() => {
  const { pressing = [], bunches = [] } = many.value ?? {};
  const entries = [...pressing, ...bunches.flatMap((bunch) => bunch.entries)];
  shownOrder.value = many.value && entries.map(({ inquiry }) => inquiry.id);
});

/** The run of which calls of every kind are selected together; undefined: only those that are alike. */
export const wholeRun = signal<string | undefined>(undefined);

/** Why it cannot be selected, or the class of what can be selected with it. */
export function classOf(entry: InquiryEntry): ReturnType<typeof likeness> {
  const like = likeness(entry);
  const run = wholeRun.value !== undefined && entry.inquiry.actions ? runKey(entry) : undefined;
  return 'key' in like && run !== undefined && run === wholeRun.value ? { key: run } : like;
}

/** The selected calls that still wait and are of one class with the first of them. */
export const selected = computed<InquiryEntry[]>(() => {
  const ids = selection.value;
  if (!ids || !many.value) return [];
  const entries = many.value.waiting.filter(({ inquiry }) => ids.has(inquiry.id));
  return ofOneClass(
    entries,
    entries.find((entry) => 'key' in classOf(entry)),
    classOf,
  );
});

/** All that wait and are like this one, itself included. */
export function alike(entries: readonly InquiryEntry[], one: InquiryEntry | undefined): InquiryEntry[] {
  return ofOneClass(entries, one, likeness);
}

function ofOneClass(entries: readonly InquiryEntry[], one: InquiryEntry | undefined, read: typeof likeness) {
  const like = one && read(one);
  if (!like || !('key' in like)) return [];
  return entries.filter((entry) => {
    const other = read(entry);
    return 'key' in other && other.key === like.key;
  });
}

/** The rows that a bunch shows now: its first, those that were opened, and the open inquiry's own. */
export function toRows(key: string, entries: Bunch['entries'], open: string | undefined): InquiryEntry[] {
  const count = rowsShown.value.get(key) ?? FOLDED_ROWS;
  return entries.filter(({ inquiry }, at) => at < count || inquiry.id === open);
}

/** Shows more rows of a bunch. */
export function showMore(key: string): void {
  const before = rowsShown.value.get(key) ?? FOLDED_ROWS;
  rowsShown.value = new Map(rowsShown.value).set(key, before + MORE_ROWS);
}

/** Selects exactly these, alike or of one run. */
export function select(entries: readonly InquiryEntry[], run?: string): void {
  wholeRun.value = run;
  selection.value = new Set(entries.map(({ inquiry }) => inquiry.id));
}

/** Adds one to the selection or takes it out. */
export function toggle({ inquiry }: InquiryEntry): void {
  const ids = new Set(selection.value);
  if (!ids.delete(inquiry.id)) ids.add(inquiry.id);
  selection.value = ids;
}
