import type { AnswerContent } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { clear, createStore, del, entries, get, set } from 'idb-keyval';
import { lastWins } from './outgoing/throttle.ts';

const store = createStore('beckon', 'device');

/**
 * What this device keeps between visits, in IndexedDB: the token, words typed, answers under way. Where
 * the browser refuses (some private windows), it is kept for as long as the page is open.
 */
const fallback = new Map<string, unknown>();

/** The value, or undefined. */
export async function recall<T>(key: string): Promise<T | undefined> {
  try {
    return (await get<T>(key, store)) ?? (fallback.get(key) as T | undefined);
  } catch {
    return fallback.get(key) as T | undefined;
  }
}

/** Every value whose key starts with `prefix`, with the rest of its key. */
export async function recallAll<T>(prefix: string): Promise<[string, T][]> {
  let all: [string, T][] = [...fallback] as [string, T][];
  try {
    all = [...all, ...(await entries<string, T>(store))];
  } catch {
    // The copy in memory is all there is.
  }
  return all.filter(([key]) => key.startsWith(prefix)).map(([key, value]) => [key.slice(prefix.length), value]);
}

/** Keeps the value; `undefined` removes it. */
export async function keepStored(key: string, value: unknown): Promise<void> {
  fallback.delete(key);
  try {
    await (value === undefined ? del(key, store) : set(key, value, store));
  } catch {
    if (value !== undefined) fallback.set(key, value);
  }
}

/** Removes everything this origin keeps on the device. */
export async function clearStored(): Promise<void> {
  fallback.clear();
  toKeep.dropAll();
  try {
    localStorage.clear();
    sessionStorage.clear();
    await clear(store);
  } catch {
    // Nothing was kept.
  }
}

const SETTLED_MOST = 50;
const SETTLED = 'settled:';

/** Keeps on this device how an inquiry ended, to be read while there is no line. */
export function keepSettled(inquiry: Inquiry): void {
  void keepStored(SETTLED + inquiry.id, inquiry);
}

/** How the inquiry ended, if this device was told. */
export function recallSettled(inquiryId: string): Promise<Inquiry | undefined> {
  return recall(SETTLED + inquiryId);
}

/** What was open when this device last knew, without what it was told ended since: that is kept at once, the list a second later. */
export async function recallOpen(): Promise<Inquiry[]> {
  const open = (await recall<Inquiry[]>('open')) ?? [];
  const settled = new Set((await recallAll(SETTLED)).map(([id]) => id));
  return open.filter(({ id }) => !settled.has(id));
}

/** Keeps the 50 that ended last. */
export async function forgetOlderSettled(): Promise<void> {
  const saved = (await recallAll<Inquiry>(SETTLED)).map(([id, { resolution }]) => ({ id, at: resolution?.at ?? '' }));
  for (const { id } of saved.toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(SETTLED_MOST))
    void keepStored(SETTLED + id, undefined);
}

const WORDS = 'words:';
const LAST_WORDS = 'beckon.words';

const toKeep = lastWins<AnswerContent>(300, (inquiryId, answer) => keepStored(WORDS + inquiryId, answer));

/** Keeps what is written into an inquiry between visits, soon; undefined forgets it. */
export function keepWritten(inquiryId: string, answer: AnswerContent | undefined): void {
  // This page may have been left and be back.
  storeLast();
  if (answer) return toKeep.give(inquiryId, answer);
  toKeep.drop(inquiryId);
  void keepStored(WORDS + inquiryId, undefined);
}

/** What an earlier visit has kept, by inquiry, to the last letter; what this one writes is kept as well from then on. */
export async function recallWritten(): Promise<Map<string, AnswerContent>> {
  addEventListener('pagehide', keepLastWritten);
  const last = storeLast();
  return new Map([...(await recallAll<AnswerContent>(WORDS)), ...last]);
}

// IndexedDB drops what a page that goes has begun to write, so its last words are kept beside it.
function keepLastWritten(): void {
  try {
    localStorage.setItem(LAST_WORDS, JSON.stringify([...storeLast(), ...toKeep.latest()]));
  } catch {
    // Then they are as old as what was stored.
  }
}

// What a page that is gone kept beside IndexedDB.
function storeLast(): [string, AnswerContent][] {
  try {
    const last = JSON.parse(localStorage.getItem(LAST_WORDS) ?? '[]') as [string, AnswerContent][];
    localStorage.removeItem(LAST_WORDS);
    for (const [inquiryId, answer] of last) void keepStored(WORDS + inquiryId, answer);
    return last;
  } catch {
    return [];
  }
}
