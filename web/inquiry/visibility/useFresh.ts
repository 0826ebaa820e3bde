import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

const NO_TAP_MS = 350;

/** True for the first moments of what has just come, in which a tap was meant for what stood there before. */
export function useFresh(): Signal<boolean> {
  const fresh = useSignal(true);
  useEffect(() => {
    const timer = setTimeout(() => (fresh.value = false), NO_TAP_MS);
    return () => clearTimeout(timer);
  }, []);
  return fresh;
}
