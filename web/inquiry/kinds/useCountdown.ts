import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { onLeaving } from '../../live/outgoing/leaving.ts';

export const ALONE_S = 6;
const SIGNS = ['pointerdown', 'keydown', 'input', 'focusin'] as const;

/**
 * Seconds until the one tap has done its work by itself; undefined once the person does anything else. It is done at
 * once when the page is hidden or closed, since a locked phone stops timers.
 */
export function useCountdown(begins: boolean, onEnd: () => void): number | undefined {
  const left = useSignal<number | undefined>(begins ? ALONE_S : undefined);
  const latest = useRef(onEnd);
  latest.current = onEnd;
  useEffect(() => {
    const end = () => {
      if (left.value === undefined) return;
      left.value = undefined;
      latest.current();
    };
    const timer = setInterval(() => {
      if (left.value === undefined || left.value <= 1) end();
      else left.value -= 1;
    }, 1000);
    const stopLeaving = onLeaving(end);
    const wait = () => (left.value = undefined);
    // A screen reader moves the focus, dictation only writes.
    for (const sign of SIGNS) addEventListener(sign, wait);
    return () => {
      clearInterval(timer);
      stopLeaving();
      for (const sign of SIGNS) removeEventListener(sign, wait);
    };
  }, []);
  return left.value;
}
