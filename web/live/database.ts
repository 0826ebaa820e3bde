let opening: Promise<IDBDatabase> | undefined;

/** Resolves with what `work` asks for, once it is on the disk; rejects where the browser refuses any of it. */
export async function inStore<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  try {
    const transaction = (await (opening ??= open())).transaction('device', mode);
    const request = work(transaction.objectStore('device'));
    return await new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } catch (error) {
    // A connection that the browser has closed refuses everything from then on.
    opening = undefined;
    throw error;
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('beckon');
    request.onupgradeneeded = () => request.result.createObjectStore('device');
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
