import type { ComponentChildren, RefObject } from 'preact';
import { stepsShown } from '../../first-steps/shown.ts';
import { route } from '../route.ts';

/** Where banners that come late stand; `saved` holds it open as high as they stood last time. */
export function Room({
  saved,
  at,
  children,
}: {
  saved: boolean;
  at?: RefObject<HTMLDivElement | null>;
  children?: ComponentChildren;
}) {
  return (
    <div
      class="optional-banners"
      ref={at ?? null}
      style={{ minHeight: saved && offersHere() ? `${savedRoom()}px` : '0' }}
    >
      {children}
    </div>
  );
}

/** False on the pages that say themselves how it stands with notifications, and so offer none in a banner. */
export function offersHere(): boolean {
  const { page } = route.value;
  return !stepsShown.value && page !== 'settings' && page !== 'devices';
}

const SAVED_AS = 'beckon.banners';

/** How high the banners that come late stood last time, in px: room to keep for them, so that nothing moves when they come. */
function savedRoom(): number {
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
