import type { Memory } from './run.ts';
import type { Pressed } from './world.ts';

// The page keeps its token and its outbox in the same store (web/live/stored.ts).
const NAME = 'beckon';
const STORE = 'device';
const NOTES = 'worker';

export async function recallToken(): Promise<string | undefined> {
  return withStore('readonly', (store) => store.get('token') as IDBRequest<string | undefined>);
}

export async function recallMemory(): Promise<Memory> {
  const saved = await withStore('readonly', (store) => store.get(NOTES) as IDBRequest<Memory | undefined>);
  return Array.isArray(saved?.settled) ? saved : { settled: [], badge: 0 };
}

export async function keepMemory(memory: Memory): Promise<void> {
  await withStore('readwrite', (store) => store.put(memory, NOTES));
}

/** Puts an answer where the page's outbox finds it; sent twice, it gets the same reply (RES2). */
export async function queueAnswer({ inquiryId, body }: Pressed, at: number): Promise<void> {
  const queued = { inquiryId, answerId: body.answerId, at: new Date(at).toISOString(), body };
  await withStore('readwrite', (store) => store.put(queued, `answer:${body.answerId}`));
}

/** Removes the worker's own notes, or everything this origin keeps on the device. */
export async function forgetKept(what: 'notes' | 'everything'): Promise<void> {
  await withStore('readwrite', (store) => (what === 'notes' ? store.delete(NOTES) : store.clear()));
}

async function withStore<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open(NAME);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await settled(opening);
  try {
    return await settled(work(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB refused'));
  });
}
