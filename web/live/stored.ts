import type { AnswerContent } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { parsed } from './api.ts';
import { inStore } from './database.ts';
import { note } from './faults.ts';
import { lastWins } from './outgoing/throttle.ts';

const WORDS = 'words:';
const BESIDE = 'beckon.beside.';
// What the hub tells again.
const TOLD_AGAIN = /^(open|me|ahead)$|^settled/;

/**
 * What this device keeps between visits, in IndexedDB: the token, words typed, answers under way. What that refuses (a full
 * disk, some private windows) is kept in localStorage, and where this refuses too for as long as the page is open.
 */
const fallback = readBeside();
// What is kept in neither.
const unkept = new Set<string>();

/** The value, or undefined. */
export async function recall<T>(key: string): Promise<T | undefined> {
  try {
    return (fallback.get(key) as T | undefined) ?? (await inStore<T>('readonly', (store) => store.get(key)));
  } catch {
    return undefined;
  }
}

/** Every value whose key starts with `prefix`, with the rest of its key. */
export async function recallAll<T>(prefix: string): Promise<[string, T][]> {
  let keys: IDBRequest<string[]> | undefined;
  let values: T[] = [];
  try {
    values = await inStore('readonly', (store) => {
      keys = store.getAllKeys() as IDBRequest;
      return store.getAll();
    });
  } catch {
    // What it refused is all there is.
  }
  const all = values.map((value, at) => [keys?.result[at] ?? '', value] as const);
  return [...new Map([...all, ...(fallback as Map<string, T>)])]
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, value]) => [key.slice(prefix.length), value]);
}

/** Keeps the value; `undefined` removes it. */
export async function keepStored(key: string, value: unknown): Promise<void> {
  try {
    await inStore('readwrite', (store): IDBRequest =>
      value === undefined ? store.delete(key) : store.put(value, key),
    );
    if (fallback.has(key)) keepBeside(key, undefined);
  } catch {
    keepBeside(key, value);
  }
}

function keepBeside(key: string, value: unknown): void {
  fallback.set(key, value);
  let lost = false;
  try {
    if (value === undefined) {
      fallback.delete(key);
      localStorage.removeItem(BESIDE + key);
    } else if (!TOLD_AGAIN.test(key)) localStorage.setItem(BESIDE + key, JSON.stringify(value));
  } catch {
    lost = value !== undefined;
  }
  // Said once of each: whoever has read it has put it away.
  if (lost === unkept.has(key)) return;
  unkept[lost ? 'add' : 'delete'](key);
  note('unkept', unkept.size > 0);
}

function readBeside(): Map<string, unknown> {
  const read = new Map<string, unknown>();
  try {
    for (const [key, text] of Object.entries<string>(localStorage)) {
      const value = key.startsWith(BESIDE) && parsed(text);
      if (value) read.set(key.slice(BESIDE.length), value);
    }
    // As the page of the version before kept its last words.
    for (const [inquiryId, answer] of JSON.parse(localStorage['beckon.words'] ?? '[]'))
      read.set(WORDS + inquiryId, answer);
    localStorage.removeItem('beckon.words');
  } catch {
    // There is none.
  }
  return read;
}

/** Removes everything this origin keeps on the device. */
export async function clearStored(): Promise<void> {
  fallback.clear();
  unkept.clear();
  note('unkept', false);
  toKeep.dropAll();
  await inStore('readwrite', (store) => store.clear()).catch(() => {});
  try {
    localStorage.clear();
    sessionStorage.clear();
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
  const open = await recall<Inquiry[]>('open');
  const settled = new Set((await recallAll(SETTLED)).map(([id]) => id));
  return Array.isArray(open) ? open.filter((one) => one?.id && !settled.has(one.id)) : [];
}

/** Keeps the 50 that ended last. */
export async function forgetOlderSettled(): Promise<void> {
  const saved = (await recallAll<Inquiry>(SETTLED)).map(([id, ended]) => ({ id, at: ended?.resolution?.at ?? '' }));
  for (const { id } of saved.toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(SETTLED_MOST))
    void keepStored(SETTLED + id, undefined);
}

const toKeep = lastWins<AnswerContent>(300, (inquiryId, answer) => keepStored(WORDS + inquiryId, answer));

/** Keeps what is written into an inquiry between visits, soon; undefined forgets it. */
export function keepWritten(inquiryId: string, answer: AnswerContent | undefined): void {
  if (answer) return toKeep.give(inquiryId, answer);
  toKeep.drop(inquiryId);
  void keepStored(WORDS + inquiryId, undefined);
}

/** What an earlier visit has kept, by inquiry, to the last letter; what this one writes is kept as well from then on. */
export async function recallWritten(): Promise<Map<string, AnswerContent>> {
  addEventListener('pagehide', keepLast);
  const all = await recallAll<AnswerContent>(WORDS);
  // It may take them by now.
  for (const [key, value] of fallback) void keepStored(key, value);
  return new Map(all.filter(([, answer]) => isAnswer(answer)));
}

/** True for what this page can show as an answer; what was damaged on the disk may be anything. */
export function isAnswer(value: AnswerContent): boolean {
  if (!((value as unknown) instanceof Object)) return false;
  const { text = '', values = {}, other = {}, decisions = [] } = value;
  return typeof text === 'string' && [values, other, decisions].every((part) => part instanceof Object);
}

// IndexedDB drops what a page that goes has begun to write.
function keepLast(): void {
  for (const [inquiryId, answer] of toKeep.latest()) keepBeside(WORDS + inquiryId, answer);
}
