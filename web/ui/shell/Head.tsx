import type { ComponentChildren } from 'preact';
import { Mark } from '../Mark.tsx';
import { breakable } from '../line-breaks.ts';

/** A page's head: a sentence of one or two clauses that says how things stand; the comma is the mark. */
export function Head({
  clauses,
  level = 1,
  line,
  children,
}: {
  clauses: readonly [string] | readonly [string, string];
  level?: 1 | 2;
  /** Smaller, on one line, above a long list. */
  line?: boolean;
  children?: ComponentChildren;
}) {
  const Tag = level === 1 ? 'h1' : 'h2';
  const [first, second] = clauses;
  return (
    <div class={line ? 'aside aside--line' : 'aside'}>
      <Tag class={line ? 'head head--line' : 'head'}>
        <span class="clause">
          <Clause text={first}>
            {second !== undefined && <span class="sr">, </span>}
            {second !== undefined && <Mark name="comma" />}
          </Clause>
        </span>
        {second !== undefined && ' '}
        {second !== undefined && (
          <span class="clause">
            <Clause text={second} />
          </span>
        )}
      </Tag>
      {children}
    </div>
  );
}

/** A clause that breaks between its words in Chinese too; what follows it stays with the last of them. */
function Clause({ text, children }: { text: string; children?: ComponentChildren }) {
  const words = breakable(text);
  const last = words.length > 1 ? words.pop() : undefined;
  return (
    <>
      {words.map((word, at) => (at === 0 ? word : [<wbr key={at} />, word]))}
      {last !== undefined && <wbr />}
      <span class={last === undefined ? undefined : 'tie'}>
        {last}
        {children}
      </span>
    </>
  );
}
