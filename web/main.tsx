import './styles/beckon.css';
import { effect } from '@preact/signals';
import { render } from 'preact';
import { Beckon } from './app/Beckon.tsx';
import { catchInstall } from './app/browser/install.ts';
import { followLinks, route } from './app/route.ts';
import { applyTheme } from './app/browser/theme.ts';
import { fetchAhead } from './inquiry/Letter.tsx';
import { preferred } from './live/preferences.ts';
import { reloadOnce } from './live/reload.ts';
import { resumeSession, session } from './live/session.ts';
import { goLive } from './live/store.ts';

/** Longer than this nothing is drawn without what this device kept, and without the parts of the letter. */
const KEPT_MS = 2000;
const FETCHED_MS = 200;

applyTheme();
// A part of an older build that is gone: the page has been built anew since it was loaded.
addEventListener('vite:preloadError', () => void reloadOnce());
followLinks();
catchInstall();

let leave: Promise<() => void> | undefined;
let stopNotifications: Promise<() => void> | undefined;
effect(() => {
  const now = session.value;
  void leave?.then((hangUp) => hangUp());
  void stopNotifications?.then((stop) => stop());
  leave = now.state === 'in' ? goLive(now.token) : undefined;
  stopNotifications = leave?.then(startPush);
});
effect(() => {
  document.documentElement.dataset['density'] = preferred.value.density;
});
const fetchNamed = () => route.peek().page === 'letter' && fetchAhead();
// While this device reads what it kept, not after.
void fetchNamed();
void draw();

// Drawn before, it would be drawn again at once with what was kept. What is fetched comes from the device, or may be late.
async function draw(): Promise<void> {
  await Promise.race([resumeSession().then(() => leave), pause(KEPT_MS)]).catch(() => {});
  await Promise.race([fetchNamed(), pause(FETCHED_MS)]);
  render(<Beckon />, document.getElementById('page')!);
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

// Not needed for what is on the screen; where it cannot be fetched, the page works without.
async function startPush(): Promise<() => void> {
  try {
    return (await import('./push/start.ts')).startNotifications();
  } catch {
    return () => {};
  }
}

if (import.meta.env.PROD && 'serviceWorker' in navigator)
  void navigator.serviceWorker.register('/sw.js').catch(() => undefined);
