import { computed, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

const offset = { ms: 0 };
const watching = { count: 0, timer: 0 as unknown as ReturnType<typeof setInterval> };

/** Server time in ms; moves each second while something on the page watches it, and on every word from the hub. */
export const now = signal(Date.now());

/** Server time in ms at this very moment. */
export function serverNow(): number {
  return Date.now() + offset.ms;
}

/** Takes over how far the hub's clock is ahead of this device's (ms), for device clocks are not trusted. */
export function setAhead(ms = 0): void {
  offset.ms = ms;
  now.value = serverNow();
}

/** Keeps `now` moving while `active` and the component is on the page. */
export function useTicking(active = true): void {
  useEffect(() => {
    if (!active) return undefined;
    now.value = serverNow();
    if (watching.count++ === 0) watching.timer = setInterval(() => (now.value = serverNow()), 1000);
    return () => {
      if (--watching.count === 0) clearInterval(watching.timer);
    };
  }, [active]);
}

/** What `read` makes of the time and of `inputs`: a component that only asks for this is not drawn again each second. */
export function useOfNow<T>(read: (now: number) => T, inputs: readonly unknown[]): T {
  return useMemo(() => computed(() => read(now.value)), inputs).value;
}
