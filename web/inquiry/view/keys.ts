import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { signal } from '@preact/signals';
import type { Inquiry } from '#shared/inquiry.ts';
import { kindOf } from '#shared/fit.ts';
import { takesWords } from '../../live/inquiries.ts';
import { isHeld } from '../../ui/held-key.ts';
import { route } from '../../app/route.ts';
import { wentByItself } from '../../ui/place.ts';
import { hasLeft, isDeciding, isPause, noteArrival, pauseMade } from './presses.ts';

/** What each key does on this inquiry; a missing one does nothing. */
export type Keys = {
  pick?: (place: number) => void;
  /** 1 too, where nothing is picked by its place. */
  y?: () => void;
  /** 2 too, likewise. */
  n?: () => void;
  e?: () => void;
  up?: () => void;
  down?: () => void;
  /** Enter, and Ctrl or Cmd with Enter while writing. */
  enter?: () => void;
  /** Ctrl or Cmd with Enter only, where Enter alone does nothing. */
  command?: () => void;
  /**
   * Any letter or sign, where words could be meant: it puts the focus where that character then lands, or nowhere, and
   * no letter acts; false where none are meant.
   */
  write?: () => unknown;
  escape?: () => void;
  /** Ctrl or Cmd with Z, outside of fields. */
  undo?: () => void;
  help?: () => void;
};

/**
 * Listens for the inquiry's keys; writing, open dialogs and focused buttons keep their own. What is typed on across a
 * change of question does nothing to the next one.
 */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  // Before the inquiry is painted: whoever sees a button can press its key.
  useLayoutEffect(() => {
    const note = ({ timeStamp }: Event) => void isPause(timeStamp);
    const hear = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || holds(event) || opens(event)) return;
      const act = findAction(event, latest.current);
      if (!act) return;
      event.preventDefault();
      act();
    };
    // First of all, for it notes what is typed in fields too.
    addEventListener('keydown', note, true);
    addEventListener('keydown', hear);
    return () => {
      removeEventListener('keydown', note, true);
      removeEventListener('keydown', hear);
    };
  }, []);
  useLayoutEffect(() => {
    takesWords.value = keys.write !== undefined;
  });
}

/** True for a key that does nothing yet, because nobody opened the inquiry; an arrow or Enter opens it. */
function opens(event: KeyboardEvent): boolean {
  const { key, target, metaKey, ctrlKey } = event;
  const elsewhere = target instanceof Element && target.matches('a:not(.inquiry *), .access-requests *, dialog *');
  if (opened.peek() || elsewhere || document.querySelector('dialog[open]')) return false;
  if (key === 'Enter' || key.startsWith('Arrow')) {
    opened.value = true;
    if (key !== 'Enter') return false;
    event.preventDefault();
    return true;
  }
  return key.length === 1 && key !== '?' && !metaKey && !ctrlKey;
}

/** True for a key that is held: it acts once, and a held Enter presses no button again, which may be the next inquiry's. */
function holds(event: KeyboardEvent): boolean {
  const { key, target } = event;
  if (!isHeld(event)) return false;
  if (key === 'Enter' && target instanceof Element && target.matches('button, a, summary')) event.preventDefault();
  return true;
}

function isField(target: Element): boolean {
  return target.matches(
    'textarea, select, input:not([type=radio], [type=checkbox]), [contenteditable] *, [contenteditable=true]',
  );
}

function findAction(event: KeyboardEvent, keys: Keys): (() => void) | undefined {
  const target = event.target instanceof Element ? event.target : document.body;
  // Nor while a sign-in request lies on the inquiry: keys are meant for what is on top.
  if (document.querySelector('dialog[open], .access-requests [role=dialog]')) return undefined;
  const typed = event.key.length === 1;
  const chord = event.metaKey || event.ctrlKey;
  if (!pauseMade() && (event.key === 'Enter' || (typed && !chord))) return undefined;
  if (event.key === 'Enter' && chord) return keys.command ?? keys.enter;
  const writing = isField(target);
  if (event.key === 'z' && chord) return writing ? undefined : keys.undo;
  if (chord || event.altKey) return undefined;
  if (event.key === 'Escape') {
    if (writing) return () => (target as HTMLElement).blur();
    return opened.peek() ? keys.escape : undefined;
  }
  if (event.key === 'Enter')
    return (writing && !target.matches('input')) || target.matches('button, a, summary') ? undefined : keys.enter;
  if (writing || event.repeat) return undefined;
  // A key is not meant for this inquiry while another one has the focus in the list.
  if (typed && target.matches('a:not(.inquiry *, [aria-current])')) return undefined;
  if (/^[1-9]$/.test(event.key) && keys.pick) return () => keys.pick?.(Number(event.key) - 1);
  if (typed && event.key !== ' ' && keys.write && keys.write() !== false) return undefined;
  const radio = target.matches('[type=radio]');
  return {
    1: keys.y,
    2: keys.n,
    y: keys.y,
    n: keys.n,
    e: keys.e,
    '?': keys.help,
    ...(radio ? {} : { ArrowUp: keys.up, ArrowDown: keys.down }),
  }[event.key];
}

/** Whether the person opened the inquiry that is shown. One that came by itself answers to no key until they do. */
const opened = signal(false);

const OPENS = '.inquiry, [aria-current]';

/** Follows whether the person has opened this inquiry: by a click, tap, arrow or Enter, or by writing in it. */
export function useOpened(inquiry: Inquiry): void {
  useMemo(() => {
    opened.value = route.peek().page === 'inquiry' && !wentByItself();
    // A notification, a timer or the hub brought it where no press did.
    noteArrival(opened.peek());
  }, []);
  useEffect(() => {
    const act = ({ target }: Event) => {
      // A press that was meant for the last inquiry opens nothing.
      if (target instanceof Element && target.closest(OPENS) && (!isDeciding(target) || hasLeft(inquiry)))
        opened.value = true;
    };
    const signs = ['pointerdown', 'input'] as const;
    for (const sign of signs) addEventListener(sign, act, true);
    return () => {
      for (const sign of signs) removeEventListener(sign, act, true);
    };
  }, []);
}

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
const WRONG = ':is(li, section, .held):has(> .is-wrong):not(:has([aria-invalid=true])) :is(input, textarea)';
