/** Loads the page again, but not twice in a minute: a hub that still refuses what it just served must not make it loop. */
export function reloadOnce(): void {
  const last = Number(sessionStorage.getItem('reloadedAt') ?? 0);
  if (Date.now() - last < 60_000) return;
  sessionStorage.setItem('reloadedAt', String(Date.now()));
  location.reload();
}
