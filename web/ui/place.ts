/** Goes to a page of the app, `by itself` where no press of the person asked for it; whoever shows pages hears it as `popstate`, as for the back button. */
export function go(path: string, how: 'push' | 'replace' | 'by itself' = 'push'): void {
  if (how === 'push') history.pushState(null, '', path);
  else history.replaceState(how === 'by itself' ? how : null, '', path);
  dispatchEvent(new PopStateEvent('popstate', { state: null }));
}

/** True where the page went by itself, before a reload too. */
export const wentByItself = () => history.state === 'by itself';
