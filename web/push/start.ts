import { checkRinging, forgetRinging } from './ringing.ts';
import { followWorker, tellWorker } from './worker.ts';

/** Keeps the worker and this device's subscription right while somebody is signed in; the returned function is for the end of that. */
export function startRinging(): () => void {
  const stop = followWorker();
  const again = () => document.visibilityState === 'visible' && void checkRinging();
  document.addEventListener('visibilitychange', again);
  void checkRinging();
  return () => {
    stop();
    document.removeEventListener('visibilitychange', again);
    void tellWorker({ type: 'left' });
    void forgetRinging().catch(() => undefined);
  };
}
