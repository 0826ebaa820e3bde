/** True from when the page is hidden or closed until it is seen again: then only what outlives the page is sent. */
export let pageLeaves = false;

/** Calls `release` when the page is hidden or closed, since a locked phone stops timers; returns how to stop. */
export function onLeaving(release: () => void): () => void {
  const leave = () => {
    pageLeaves = true;
    release();
  };
  const look = () => {
    if (document.visibilityState === 'hidden') leave();
    else pageLeaves = false;
  };
  const back = () => (pageLeaves = false);
  document.addEventListener('visibilitychange', look);
  addEventListener('pagehide', leave);
  addEventListener('pageshow', back);
  return () => {
    document.removeEventListener('visibilitychange', look);
    removeEventListener('pagehide', leave);
    removeEventListener('pageshow', back);
  };
}
