import { useEffect, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';

const ARMING_MS = 3000;
const STEP_MS = 100;

/** Where a caution slab stands: nothing while its end was not seen, then 0 to 1 over three seconds. */
export type Arming = { seenEnd: boolean; armed: number; secondsLeft: number };

/** Arms after the end mark was on the screen for three seconds; put `end` below the bar, which covers what comes last. */
export function useArming(active: boolean): Arming & { end: (mark: HTMLElement | null) => void } {
  const seenEnd = useSignal(!active);
  const spent = useSignal(active ? 0 : ARMING_MS);
  const watcher = useRef<IntersectionObserver>(undefined);
  useEffect(() => {
    if (!active || !seenEnd.value) return undefined;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches ? 1000 : STEP_MS;
    const timer = setInterval(() => {
      spent.value += still;
      if (spent.value >= ARMING_MS) clearInterval(timer);
    }, still);
    return () => clearInterval(timer);
  }, [active, seenEnd.value]);
  const end = (mark: HTMLElement | null) => {
    watcher.current?.disconnect();
    if (!mark || seenEnd.value) return;
    watcher.current = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) seenEnd.value = true;
      },
      // A sheet that just fills the window ends a fraction of a pixel below it.
      { rootMargin: '0px 0px 2px' },
    );
    watcher.current.observe(mark);
  };
  const left = Math.max(0, ARMING_MS - spent.value);
  return { seenEnd: seenEnd.value, armed: 1 - left / ARMING_MS, secondsLeft: Math.ceil(left / 1000), end };
}
