import { checkNotifications, forgetNotifications } from './notifications.ts';
import { followWorker, tellWorker } from './worker.ts';

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
