import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Inquiry } from '#shared/inquiry.ts';
import { route } from '../app/route.ts';
import { wentByItself } from '../ui/place.ts';
import { hasLeft } from './visibility/pointer.ts';

/** Whether the person opened the inquiry that is shown. One that came by itself answers to no key until they do. */
export const opened = signal(false);

const OPENS = '.inquiry, [aria-current]';

/** Follows whether the person has opened this inquiry: by a click, tap, arrow or Enter, or by writing in it. */
export function useOpened(inquiry: Inquiry): void {
  useMemo(() => (opened.value = route.peek().page === 'inquiry' && !wentByItself()), []);
  useEffect(() => {
    const act = ({ target }: Event) => {
      // A press that was meant for the last inquiry opens nothing.
      if (target instanceof Element && target.closest(OPENS) && hasLeft(inquiry)) opened.value = true;
    };
    const signs = ['pointerdown', 'input'] as const;
    for (const sign of signs) addEventListener(sign, act, true);
    return () => {
      for (const sign of signs) removeEventListener(sign, act, true);
    };
  }, []);
}
