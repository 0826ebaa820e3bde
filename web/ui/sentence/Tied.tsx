import type { ComponentChildren } from 'preact';

/** A word that can be chosen and the text behind it, whose leading marks never begin a line; the rest of it wraps. */
export function Tied({ text = '', children }: { text?: string | undefined; children: ComponentChildren }) {
  const marks = /^\p{P}*/u.exec(text)?.[0] ?? '';
  return (
    <>
      <span class="tie">
        {children}
        {marks}
      </span>
      {text.slice(marks.length)}
    </>
  );
}
