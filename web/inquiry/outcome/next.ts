import { useEffect } from 'preact/hooks';
import type { Inquiry } from '#shared/inquiry.ts';
import { useWide } from '../../app/browser/wide.ts';
import { destroys } from '../../inbox/destroys.ts';
import { isOpenHere } from '../../live/inquiries.ts';
import { entries } from '../../live/store.ts';
import { go } from '../../ui/place.ts';
import { readRun } from './run.ts';

const MARK_MS = 700;
const SIGNS = ['pointerdown', 'keydown'] as const;

/** The question to go on with after this one: the next of its run, else the most pressing one. */
export function nextAfter(inquiry: Inquiry): Inquiry | undefined {
  return nextOfRun(inquiry) ?? others(inquiry)[0];
}

/**
 * Goes on by itself a short moment after this question was answered, at once where motion is reduced: to the next of the
 * same source and run, else a phone to the inbox and a desktop to the next one. Not into what destroys or cannot be taken
 * back, not if nothing waits, and not once the person does anything here.
 */
export function useOnward(inquiry: Inquiry, active: boolean): void {
  const wide = useWide();
  useEffect(() => {
    if (!active) return undefined;
    const onward = () => {
      stop();
      const next = wide ? nextAfter(inquiry) : nextOfRun(inquiry);
      if (next && !isGrave(next)) go(`/i/${next.id}`, 'by itself');
      // A desktop would select it.
      else if (!(next && wide) && others(inquiry).length > 0) go('/', 'replace');
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

/** True for a call that nobody may come to approve by going on: it destroys something, or cannot be taken back. */
export function isGrave(inquiry: Inquiry | undefined): boolean {
  return inquiry?.actions?.some((action) => action.caution === true || destroys(action)) ?? false;
}

function nextOfRun(inquiry: Inquiry): Inquiry | undefined {
  const run = readRun(inquiry);
  return run === undefined ? undefined : others(inquiry).find((other) => readRun(other) === run);
}

function others({ id }: Inquiry): Inquiry[] {
  return entries.value.filter((one) => isOpenHere(one) && one.inquiry.id !== id).map(({ inquiry }) => inquiry);
}
