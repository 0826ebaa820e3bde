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

/** Takes over the hub's clock (ISO 8601), for device clocks are not trusted. */
export function setServerTime(iso: string): void {
  const told = Date.parse(iso);
  if (!Number.isNaN(told)) offset.ms = told - Date.now();
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
