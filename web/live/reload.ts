import { hubAnswers } from './api.ts';

/**
 * Loads the page again, but not twice in a minute: a hub that still refuses what it just served must not make it loop.
 * While the hub is away it leaves the page as it is, since nothing would come in its place.
 */
export async function reloadOnce(): Promise<void> {
  const since = Date.now() - Number(sessionStorage.getItem('reloadedAt') ?? 0);
  // A time to come was noted before the clock was set back.
  if (Math.abs(since) < 60_000 || !(await hubAnswers())) return;
  sessionStorage.setItem('reloadedAt', String(Date.now()));
  location.reload();
}
