import { effect } from '@preact/signals';
import { navigate } from '../app/route.ts';
import { isCut, known, readLater } from '../live/inquiries.ts';
import { notices } from '../live/notices.ts';
import { connection, takeOver } from '../live/store.ts';
import { wake } from '../live/line.ts';
import type { PageTold, Told } from '../service-worker/world.ts';
import { checkNotifications, forgetNotifications } from './notifications.ts';

/** Keeps the worker and this device's subscription right while somebody is signed in; the returned function is for the end of that. */
export function startNotifications(): () => void {
  const stop = followWorker();
  const again = () => document.visibilityState === 'visible' && void checkNotifications();
  document.addEventListener('visibilitychange', again);
  void checkNotifications();
  return () => {
    stop();
    document.removeEventListener('visibilitychange', again);
    void tellWorker({ type: 'left' });
    void forgetNotifications().catch(() => undefined);
  };
}

/** What the worker needs of them is only the latest: a card older than that was closed long ago. */
const SETTLED_TOLD = 100;
/** A snapshot of this many is not all there is. */
const SNAPSHOT = 200;

/**
 * Tells the worker what is open, so that it closes the notifications of all else, and does what it asks; until the
 * returned function is called. Pages never read notifications themselves: Chromium loses some when two do.
 */
function followWorker(): () => void {
  if (!('serviceWorker' in navigator)) return () => {};
  let last = '';
  const again = () => document.visibilityState === 'visible' && (last = '');
  const stop = effect(() => {
    if (connection.value !== 'live') return;
    const { open, resolutions, yolo } = known.value;
    if (open.size === SNAPSHOT) return;
    const sync: Told = {
      type: 'sync',
      open: [...open].flatMap(([id, { inquiry }]) =>
        inquiry.dismissed || isCut(inquiry) || readLater(id) ? [] : [id],
      ),
      notices: [...notices.value, ...[yolo.running ?? [], yolo.ended ?? []].flat()].map(({ id }) => id),
      settled: [...resolutions.keys()].slice(-SETTLED_TOLD),
    };
    const said = JSON.stringify(sync);
    if (said !== last) void tellWorker(sync);
    last = said;
  });
  const heard = ({ data }: MessageEvent<PageTold>) => {
    if (data.type === 'open') navigate(data.path);
    else if (data.type === 'wake') wake();
    else if (data.type === 'queued') void takeOver();
  };
  navigator.serviceWorker.addEventListener('message', heard);
  document.addEventListener('visibilitychange', again);
  return () => {
    stop();
    navigator.serviceWorker.removeEventListener('message', heard);
    document.removeEventListener('visibilitychange', again);
  };
}

/** Says it to the worker, if there is one. */
async function tellWorker(told: Told): Promise<void> {
  (await navigator.serviceWorker?.getRegistration())?.active?.postMessage(told);
}
