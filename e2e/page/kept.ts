import type { Page } from '@playwright/test';

/** What a page keeps between visits under this name: its token, or the words written in an inquiry as `words:` and its id. */
export function keptOn(page: Page, name: string): Promise<unknown> {
  return page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('beckon');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const reading = opening.result.transaction('device').objectStore('device').get('${name}');
      reading.onsuccess = () => resolve(reading.result);
      opening.result.close();
    };
  })`);
}
