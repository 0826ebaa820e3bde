import { useEffect, useRef } from 'preact/hooks';

const TICK_MS = 250;
const NO_TAP_MS = 350;

/**
 * Calls `onward` once the tick of a tapped option was seen; arrows and digits only pick. A tap on an option or on the
 * bar in the first moment of such a step was meant for the one before, and does nothing.
 */
export function useStepOn(step: number, onward: () => boolean): void {
  const movedAt = useRef(-Infinity);
  const latest = useRef(onward);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  latest.current = onward;
  useEffect(() => {
    const tap = (event: MouseEvent) => {
      const { target, detail } = event;
      if (detail === 0 || !(target instanceof Element) || target.closest('.preview, textarea')) return;
      const option = target.closest('.inquiry .option');
      if (!option && !target.closest('.inquiry .bar')) return;
      clearTimeout(timer.current);
      if (performance.now() - movedAt.current < NO_TAP_MS) {
        event.preventDefault();
        event.stopPropagation();
      } else if (option)
        timer.current = setTimeout(() => {
          if (latest.current()) movedAt.current = performance.now();
        }, TICK_MS);
    };
    const stop = () => clearTimeout(timer.current);
    addEventListener('click', tap, true);
    addEventListener('keydown', stop, true);
    return () => {
      stop();
      removeEventListener('click', tap, true);
      removeEventListener('keydown', stop, true);
    };
  }, [step]);
}
