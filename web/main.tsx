import './styles/beckon.css';
import { effect } from '@preact/signals';
import { render } from 'preact';
import { Beckon } from './app/Beckon.tsx';
import { catchInstall } from './app/browser/install.ts';
import { followLinks } from './app/route.ts';
import { applyTheme } from './app/browser/theme.ts';
import { preferred } from './live/preferences.ts';
import { reloadOnce } from './live/reload.ts';
import { resumeSession, session } from './live/session.ts';
import { goLive, lostAt } from './live/store.ts';

applyTheme();
// A part of an older build that is gone: the page has been built anew since it was loaded. One that did not come for want
// of a line is fetched again.
addEventListener('vite:preloadError', () => void (lostAt.peek() === undefined && reloadOnce()));
followLinks();
catchInstall();

let leave: Promise<() => void> | undefined;
let stopNotifications: Promise<() => void> | undefined;
effect(() => {
  const now = session.value;
  void leave?.then((hangUp) => hangUp());
  void stopNotifications?.then((stop) => stop());
  leave = now.state === 'in' ? goLive(now.token) : undefined;
  stopNotifications = now.state === 'in' ? startPush() : undefined;
});
effect(() => {
  document.documentElement.dataset['density'] = preferred.value.density;
});
void resumeSession();

// Not needed for what is on the screen; where it cannot be fetched, the page works without.
async function startPush(): Promise<() => void> {
  try {
    return (await import('./push/start.ts')).startNotifications();
  } catch {
    return () => {};
  }
}

const page = document.getElementById('page');
if (page) render(<Beckon />, page);

if (import.meta.env.PROD && 'serviceWorker' in navigator)
  void navigator.serviceWorker.register('/sw.js').catch(() => undefined);
