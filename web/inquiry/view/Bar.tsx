import type { ComponentChildren } from 'preact';
import type { Problem } from '#shared/problem.ts';
import { IconButton } from '../../ui/Button.tsx';
import { useWide } from '../../app/browser/wide.ts';
import { lazy } from '../../app/lazy.tsx';
import { given } from '../../live/inquiries.ts';
import { toldInInquiry } from '../outcome/run.ts';
import { dialogWords } from '../words.ts';

const UndoBar = lazy(() => import('../outcome/UndoBar.tsx').then(({ UndoBar: ready }) => ready));

/** The decision, always the last line of the panel: what else, a word about it, and the buttons. */
export function Bar({
  also,
  say,
  children,
  onMore,
  below,
  tall,
}: {
  also?: ComponentChildren;
  say?: string | undefined;
  children: ComponentChildren;
  onMore?: (() => void) | undefined;
  /** What was not seen yet. */
  below?: ComponentChildren;
  /** One button a line on a phone, each of which answers. */
  tall?: boolean;
}) {
  const words = dialogWords();
  const wide = useWide();
  const others = also && <div class="bar-also">{also}</div>;
  return (
    <footer class="bar">
      {below}
      {given.value && toldInInquiry(wide) ? <UndoBar otherwise={others} /> : others}
      {say && <p class="bar-say">{say}</p>}
      <div class={tall ? 'bar-do bar-do--tall' : 'bar-do'}>
        {children}
        {onMore && <IconButton name="more" label={words.more} onPress={onMore} />}
      </div>
    </footer>
  );
}

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
