import { useEffect } from 'preact/hooks';
import { useSignal } from '@preact/signals';

const ARMING_MS = 3000;
const STEP_MS = 100;

/** Where a button for a call that cannot be taken back stands: 0 to 1 over the three seconds after `begun`. */
export type Arming = { armed: number; secondsLeft: number };

/** Counts three seconds from when `begun` becomes true; without `cautious` it is armed from the start. */
export function useArming(cautious: boolean, begun: boolean): Arming {
  const spent = useSignal(cautious ? 0 : ARMING_MS);
  useEffect(() => {
    if (!cautious || !begun) return undefined;
    const step = matchMedia('(prefers-reduced-motion: reduce)').matches ? 1000 : STEP_MS;
    const timer = setInterval(() => {
      spent.value += step;
      if (spent.value >= ARMING_MS) clearInterval(timer);
    }, step);
    return () => clearInterval(timer);
  }, [cautious, begun]);
  const left = Math.max(0, ARMING_MS - spent.value);
  return { armed: 1 - left / ARMING_MS, secondsLeft: Math.ceil(left / 1000) };
}
