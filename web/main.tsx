import './styles/beckon.css';
import { effect, untracked } from '@preact/signals';
import { render } from 'preact';
import { Beckon } from './app/Beckon.tsx';
import { catchInstall } from './app/browser/install.ts';
import { followLinks } from './app/route.ts';
import { applyTheme } from './app/browser/theme.ts';
import { reloadOnce } from './live/reload.ts';
import { resumeSession, session } from './live/session.ts';
import { goLive } from './live/store.ts';
import { startRinging } from './push/start.ts';

applyTheme();
// A part of an older build that is gone: the page has been built anew since it was loaded.
addEventListener('vite:preloadError', reloadOnce);
followLinks();
catchInstall();

let leave: Promise<() => void> | undefined;
let stopRinging: (() => void) | undefined;
effect(() => {
  const now = session.value;
  void leave?.then((hangUp) => hangUp());
  stopRinging?.();
  leave = now.state === 'in' ? goLive(now.token) : undefined;
  stopRinging = now.state === 'in' ? untracked(startRinging) : undefined;
});
void resumeSession();

const page = document.getElementById('page');
if (page) render(<Beckon />, page);

if (import.meta.env.PROD && 'serviceWorker' in navigator)
  void navigator.serviceWorker.register('/sw.js').catch(() => undefined);
