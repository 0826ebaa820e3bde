import { useEffect, useRef } from 'preact/hooks';

const TICK_MS = 250;
const NO_TAP_MS = 350;
// A tap on a label comes a moment before the change that it makes.
const SAME_TAP_MS = 100;

/**
 * What to call when the only answer of a step was picked: a tap then moves on by itself, once its tick was seen, while
 * arrows and digits only pick. A tap in the first moment of such a step was meant for the one before.
 */
export function useStepOn(step: number, onward: () => void): () => void {
  const tappedAt = useRef(-Infinity);
  const movedAt = useRef(-Infinity);
  const latest = useRef(onward);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  latest.current = onward;
  useEffect(() => {
    const tap = (event: MouseEvent) => {
      if (event.detail === 0 || !(event.target instanceof Element) || !event.target.closest('.letter .sheet')) return;
      if (performance.now() - movedAt.current < NO_TAP_MS) {
        event.preventDefault();
        event.stopPropagation();
      } else if (event.target.closest('.option')) tappedAt.current = performance.now();
    };
    addEventListener('click', tap, true);
    return () => removeEventListener('click', tap, true);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), [step]);
  return () => {
    clearTimeout(timer.current);
    if (performance.now() - tappedAt.current > SAME_TAP_MS) return;
    timer.current = setTimeout(() => {
      movedAt.current = performance.now();
      latest.current();
    }, TICK_MS);
  };
}
