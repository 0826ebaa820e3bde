/** True from when the page is hidden or closed until it is seen again: then only what outlives the page is sent. */
export let pageLeaves = false;

// No browser tells a reload from closing; its keys do. A reload by other means, or a slower one, counts as closing.
const RELOAD_MS = 3000;

/**
 * Calls `release` when the page is hidden or closed, since a locked phone stops timers; returns how to stop. Not for a
 * reload by its keys: the page that comes goes on from what is kept.
 */
export function onLeaving(release: () => void): () => void {
  let reloadedAt = -RELOAD_MS;
  const note = ({ key, ctrlKey, metaKey }: KeyboardEvent) => {
    const reloads = key === 'F5' || ((ctrlKey || metaKey) && key.toLowerCase() === 'r');
    reloadedAt = reloads ? performance.now() : -RELOAD_MS;
  };
  const leave = () => {
    pageLeaves = true;
    if (performance.now() - reloadedAt >= RELOAD_MS) release();
  };
  const look = () => {
    // What is hidden before it is left is hidden by the person, whatever is loading.
    if (document.visibilityState === 'hidden' && !pageLeaves) reloadedAt = -RELOAD_MS;
    if (document.visibilityState === 'hidden') leave();
    else pageLeaves = false;
  };
  const back = () => (pageLeaves = false);
  document.addEventListener('visibilitychange', look);
  addEventListener('pagehide', leave);
  addEventListener('pageshow', back);
  addEventListener('keydown', note, true);
  return () => {
    document.removeEventListener('visibilitychange', look);
    removeEventListener('pagehide', leave);
    removeEventListener('pageshow', back);
    removeEventListener('keydown', note, true);
  };
}

// The Fetch standard allows 64 KiB in all (section 4.6).
const KEEPALIVE_MOST = 60_000;
// The longest that a person may set.
const HELD_MOST_MS = 10_000;

/** True for a request that browsers still send when its page is gone. */
export function outlivesPage(body: object): boolean {
  return new Blob([JSON.stringify(body)]).size <= KEEPALIVE_MOST;
}

/** In how many ms a held answer leaves, by this device's clock; a time beyond every setting was noted before the clock was set back. */
export function leavesIn({ leavesAt }: { leavesAt?: string }): number {
  const ms = leavesAt === undefined ? 0 : Date.parse(leavesAt) - Date.now();
  return ms > 0 && ms <= HELD_MOST_MS ? ms : 0;
}
