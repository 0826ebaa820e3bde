import type { ComponentChildren } from 'preact';

/** What went wrong and what to do, read aloud at once. */
export function Wrong({ children }: { children: ComponentChildren }) {
  return (
    <p class="hint is-wrong" role="alert">
      {children}
    </p>
  );
}
