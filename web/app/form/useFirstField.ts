import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** For a form that opens on request: the focus goes to its first field, or the one named so, and back to where it was when the form goes. */
export function useFirstField(first = 'input'): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    form.current?.querySelector<HTMLElement>(first)?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return form;
}
