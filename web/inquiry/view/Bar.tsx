import type { ComponentChildren } from 'preact';
import type { Problem } from '#shared/problem.ts';
import { visible } from '#shared/visible.ts';
import { IconButton } from '../../ui/Button.tsx';
import { useWide } from '../../app/browser/wide.ts';
import { lazy } from '../../app/lazy.tsx';
import { given } from '../../live/inquiries.ts';
import { undoBarInInquiry } from '../outcome/run.ts';
import type { ReplyFault } from '../reply/faults.ts';
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
  problem,
}: {
  also?: ComponentChildren;
  say?: string | undefined;
  children: ComponentChildren;
  onMore?: (() => void) | undefined;
  /** What was not seen yet. */
  below?: ComponentChildren;
  /** One button a line on a phone, each of which answers. */
  tall?: boolean;
  /** What the hub said when it did not take the answer; the inquiry is as open as before. */
  problem?: Problem | undefined;
}) {
  const words = dialogWords();
  const wide = useWide();
  const others = [also].flat(2).some(Boolean) && <div class="bar-also">{also}</div>;
  return (
    <>
      {problem && (
        <div class="refused">
          <p class="hint is-wrong" role="alert">
            {problem.code === 'passkey.not_done' ? problem.detail : words.refused(problem.detail)}
          </p>
        </div>
      )}
      <footer class="bar">
        {below}
        {given.value && undoBarInInquiry(wide) ? <UndoBar otherwise={others} /> : others}
        {say && <p class="bar-say">{say}</p>}
        <div class={tall ? 'bar-do bar-do--tall' : 'bar-do'}>
          {children}
          {onMore && <IconButton name="more" label={words.more} onPress={onMore} />}
        </div>
      </footer>
    </>
  );
}

/** Why what stands in one place cannot be sent, as one sentence; nothing where there is no fault. */
export function FaultHint({ fault, id }: { fault: Omit<ReplyFault, 'at'> | undefined; id?: string }) {
  const { faults } = dialogWords();
  if (!fault) return null;
  const { field, code, params } = fault;
  const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
  return (
    <p class="hint is-wrong" id={id} role="alert">
      {field !== undefined && `${visible(field, true)}: `}
      {(faults[code] ?? faults['answer.missing'])?.(texts)}
    </p>
  );
}
