import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { say } from './language.ts';

const words = {
  en: { more: (lines: number) => `${lines} more ${lines === 1 ? 'line' : 'lines'}` },
  zh: { more: (lines: number) => `还有 ${lines} 行` },
};

type Fold<E extends HTMLElement> = { body: RefObject<E | null>; folded: boolean; bar: ComponentChildren };

/**
 * Keeps foreign text to three lines until the person opens it, so that no text is long enough to push a question or
 * its buttons off the screen. Put `is-folded` on the element of `body` while `folded`, and `bar` after it.
 */
export function useFold<E extends HTMLElement>(): Fold<E> {
  const body = useRef<E>(null);
  const [open, setOpen] = useState(false);
  const [hidden, setHidden] = useState(0);
  const measured = useRef('');
  const measure = () => {
    const element = body.current;
    if (!element) return;
    const over = element.scrollHeight - element.clientHeight;
    const line = Number.parseFloat(getComputedStyle(element).lineHeight) || 22;
    // Letters taller than their line reach below the last one, and hide nothing.
    const now = over > line / 2 ? Math.max(1, Math.round(over / line)) : 0;
    // The bar takes its words' room from the text's lines: of the same text it only grows, or it would come and go forever.
    const text = innerWidth + (element.textContent ?? '');
    const grows = text === measured.current;
    measured.current = text;
    setHidden((before) => (grows ? Math.max(before, now) : now));
  };
  // What is written in it may have changed with its size kept. Its first size comes from the watcher, in the same frame:
  // measured here it would lay the page out once more.
  useLayoutEffect(() => {
    if (measured.current !== '') measure();
  });
  useLayoutEffect(() => {
    const element = body.current;
    if (!element || open) return undefined;
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    // A link in the hidden part is never focused unseen.
    const reveal = () => hidden > 0 && setOpen(true);
    element.addEventListener('focusin', reveal);
    return () => {
      watcher.disconnect();
      element.removeEventListener('focusin', reveal);
    };
  }, [open, hidden > 0]);
  return {
    body,
    folded: !open,
    bar: !open && hidden > 0 && (
      <button type="button" class="unfold" onClick={() => setOpen(true)}>
        {say(words).more(hidden)}
      </button>
    ),
  };
}

type FoldedProps = {
  as?: 'p' | 'h1' | 'h2';
  class?: string;
  id?: string;
  tabIndex?: number;
  lang?: string | undefined;
  dir?: 'auto';
  children: ComponentChildren;
};

/** A paragraph or heading of foreign words, folded to three lines. */
export function Folded({ as: Tag = 'p', class: name = '', children, ...rest }: FoldedProps) {
  const { body, folded, bar } = useFold<HTMLParagraphElement & HTMLHeadingElement>();
  return (
    <>
      <Tag dir="auto" {...rest} class={folded ? `${name} is-folded` : name} ref={body}>
        {children}
      </Tag>
      {bar}
    </>
  );
}
