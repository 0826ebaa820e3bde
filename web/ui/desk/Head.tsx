import type { ComponentChildren } from 'preact';
import { Mark } from '../Mark.tsx';

/** A page's head: a sentence of one or two clauses that says how things stand; the comma is the mark. */
export function Head({
  clauses,
  level = 1,
  children,
}: {
  clauses: readonly [string] | readonly [string, string];
  level?: 1 | 2;
  children?: ComponentChildren;
}) {
  const Tag = level === 1 ? 'h1' : 'h2';
  const [first, second] = clauses;
  return (
    <div class="aside">
      <Tag class="head">
        <span class="clause">
          {first}
          {second !== undefined && <span class="sr">, </span>}
          {second !== undefined && <Mark name="comma" />}
        </span>
        {second !== undefined && ' '}
        {second !== undefined && <span class="clause">{second}</span>}
      </Tag>
      {children}
    </div>
  );
}
