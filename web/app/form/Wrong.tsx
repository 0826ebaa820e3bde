import type { ComponentChildren } from 'preact';
import type { Problem } from '#shared/problem.ts';
import { explain } from './explain.ts';

/** What went wrong and what to do, read aloud at once. */
export function Wrong({ children }: { children: ComponentChildren }) {
  return (
    <p class="hint is-wrong" role="alert">
      {children}
    </p>
  );
}

/** The same for a refusal of the hub, or nothing. */
export function Refused({ problem }: { problem: Problem | undefined }) {
  return problem ? <Wrong>{explain(problem)}</Wrong> : null;
}

/** The same inside a panel, at the distance of its text. */
export function RefusedHere({ problem }: { problem: Problem | undefined }) {
  if (!problem) return null;
  return (
    <div class="reply">
      <Refused problem={problem} />
    </div>
  );
}
