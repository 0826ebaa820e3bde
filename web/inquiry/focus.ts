import { kindOf } from '#shared/fit.ts';
import type { Inquiry } from '#shared/inquiry.ts';

/** True where the first thing asked for is a text. */
export function asksWords(inquiry: Inquiry): boolean {
  return kindOf(inquiry) === 'text' || inquiry.questions?.[0]?.type === 'text';
}

/**
 * Puts the focus on the question that has just come: on its field where words are asked for and the device has a
 * keyboard, so that nothing typed is taken for a key; on its heading otherwise.
 */
export function focusQuestion(words: boolean): void {
  // Under a thumb a keyboard that comes by itself would cover what is asked.
  const field = words && !matchMedia('(pointer: coarse)').matches && document.querySelector('.inquiry .reply .lines');
  (field instanceof HTMLElement ? field : document.getElementById('ask'))?.focus({ preventScroll: true });
}

/** What takes typed words. */
export const FIELD = ':is(textarea, input:not([type=radio], [type=checkbox], [type=range]))';

/** Puts the focus on the first field of the answer. */
export function focusField(): void {
  document.querySelector<HTMLElement>(`.inquiry .reply ${FIELD}`)?.focus();
}

/** Brings the first place where something is missing or wrong into view, and gives it the focus. */
export function focusFault(looks = 20): void {
  // It is marked once it is drawn anew.
  setTimeout(() => {
    const place = document.querySelector<HTMLElement>(`.inquiry :is([aria-invalid=true], ${WRONG})`);
    if (!place && looks > 0) return focusFault(looks - 1);
    place?.focus();
    place?.scrollIntoView({ block: 'center' });
  }, LOOK_MS);
}

const LOOK_MS = 50;
// Of a place that marks none of its fields, the first.
const WRONG = ':is(li, section):has(> .is-wrong):not(:has([aria-invalid=true])) :is(input, textarea)';
