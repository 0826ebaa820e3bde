/** Goes to a page of the app; whoever shows pages hears it as `popstate`, as for the back button. */
export function go(path: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'replace') history.replaceState(null, '', path);
  else history.pushState(null, '', path);
  dispatchEvent(new PopStateEvent('popstate', { state: null }));
}
