import type { Problem } from '#shared/problem.ts';
import { dialogWords } from '../words.ts';

/** What the hub said when it did not take the answer; the inquiry is as open as before. */
export function Refused({ problem }: { problem: Problem | undefined }) {
  const words = dialogWords();
  if (!problem) return null;
  return (
    <div class="refused">
      <p class="hint is-wrong" role="alert">
        {words.refused(problem.detail)}
      </p>
    </div>
  );
}
