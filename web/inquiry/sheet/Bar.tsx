import type { ComponentChildren } from 'preact';
import { IconButton } from '../../ui/Slab.tsx';
import { dialogWords } from '../words.ts';

/** The decision, always the last line of the sheet: what else, a word about it, and the slabs. */
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
  return (
    <footer class="bar">
      {below}
      {also && <div class="bar-also">{also}</div>}
      {say && <p class="bar-say">{say}</p>}
      <div class={tall ? 'bar-do bar-do--tall' : 'bar-do'}>
        {children}
        {onMore && <IconButton name="more" label={words.more} onPress={onMore} />}
      </div>
    </footer>
  );
}
