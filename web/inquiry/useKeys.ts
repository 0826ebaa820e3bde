import { useLayoutEffect, useRef } from 'preact/hooks';

/** What each key does on this letter; a missing one does nothing. */
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
  /** Any letter or sign, where words could be meant: it puts the focus where that character then lands, and no letter acts. */
  write?: () => void;
  escape?: () => void;
  /** Ctrl or Cmd with Z, outside of fields. */
  undo?: () => void;
  help?: () => void;
};

/** Listens for the letter's keys; writing, open drawers and focused buttons keep their own. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  // Before the letter is painted: whoever sees a button can press its key.
  useLayoutEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const act = event.defaultPrevented || event.isComposing ? undefined : actionOf(event, latest.current);
      if (!act) return;
      if (act !== latest.current.write) event.preventDefault();
      act();
    };
    addEventListener('keydown', hear);
    return () => removeEventListener('keydown', hear);
  }, []);
}

function isField(target: Element): boolean {
  return target.matches(
    'textarea, select, input:not([type=radio], [type=checkbox]), [contenteditable] *, [contenteditable=true]',
  );
}

function actionOf(event: KeyboardEvent, keys: Keys): (() => void) | undefined {
  const target = event.target instanceof Element ? event.target : document.body;
  // Nor while a sign-in request lies on the letter: keys are meant for what is on top.
  if (document.querySelector('dialog[open], .access-requests [role=dialog]')) return undefined;
  if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) return event.repeat ? undefined : keys.enter;
  const writing = isField(target);
  if (event.key === 'z' && (event.metaKey || event.ctrlKey)) return writing ? undefined : keys.undo;
  if (event.metaKey || event.ctrlKey || event.altKey) return undefined;
  if (event.key === 'Escape') return writing ? () => (target as HTMLElement).blur() : keys.escape;
  if (event.key === 'Enter')
    return (writing && !target.matches('input')) || target.matches('button, a, summary') || event.repeat
      ? undefined
      : keys.enter;
  if (writing || event.repeat) return undefined;
  if (/^[1-9]$/.test(event.key) && keys.pick) return () => keys.pick?.(Number(event.key) - 1);
  if (keys.write && event.key.length === 1 && event.key !== ' ') return keys.write;
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
