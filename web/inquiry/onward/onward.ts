import { useEffect } from 'preact/hooks';
import type { Inquiry } from '#shared/inquiry.ts';
import { isOpenHere, passed } from '../../live/letters.ts';
import { held } from '../../live/store.ts';
import { go } from '../../ui/place.ts';

const MARK_MS = 700;
const SIGNS = ['pointerdown', 'keydown'] as const;

/** The question to go on with after this one. */
export function nextAfter(inquiryId: string): Inquiry | undefined {
  return held.value.find((one) => isOpenHere(one) && one.inquiry.id !== inquiryId)?.inquiry;
}

/**
 * Shows the next question a short moment after this one was answered, at once where motion is reduced; not if there is
 * none, and not once the person does anything here.
 */
export function useOnward(inquiry: Inquiry, active: boolean): void {
  useEffect(() => {
    if (!active) return undefined;
    const onward = () => {
      stop();
      const next = nextAfter(inquiry.id);
      if (!next) return;
      passed.value = { inquiry, to: next.id };
      go(`/i/${next.id}`, 'replace');
    };
    const timer = setTimeout(onward, matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : MARK_MS);
    const stop = () => {
      clearTimeout(timer);
      for (const sign of SIGNS) removeEventListener(sign, stop);
    };
    for (const sign of SIGNS) addEventListener(sign, stop);
    return stop;
  }, [inquiry.id, active]);
}
