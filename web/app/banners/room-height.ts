const SAVED_AS = 'beckon.banners';

/** How high the banners that come late stood last time, in px: room to keep for them, so that nothing moves when they come. */
export function savedRoom(): number {
  try {
    return Number(localStorage.getItem(SAVED_AS)) || 0;
  } catch {
    return 0;
  }
}

/** Remembers it, where the browser lets the page. */
export function saveRoom(px: number): void {
  try {
    localStorage.setItem(SAVED_AS, String(px));
  } catch {
    // Then they push the page down.
  }
}
