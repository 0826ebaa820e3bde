import type { ComponentChildren } from 'preact';
import { say } from '../language.ts';

/** What stands between two sentences of the page: nothing in Chinese, whose full stop is as wide as one with a space. */
export function Space() {
  return <>{say({ en: ' ', zh: '' })}</>;
}

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
