import type { Held } from '../../live/held.ts';
import { release } from '../../live/store.ts';
import { go } from '../../ui/place.ts';
import { Slab } from '../../ui/Slab.tsx';
import { headlineOf } from '../headline.ts';
import { useOnward } from '../onward/onward.ts';
import { Seconds, undoAndOpen } from '../onward/UndoLine.tsx';
import { onwardWords } from '../onward/words.ts';
import { Bar } from '../sheet/Bar.tsx';
import { OpenHead } from '../sheet/Letterhead.tsx';
import { Note } from '../sheet/Note.tsx';
import { useKeys } from '../useKeys.ts';
import { dialogWords } from '../words.ts';
import { Wrote } from './Wrote.tsx';

/** An answer of one tap while it can be undone: for a short moment, or until it leaves where nothing else waits. */
export function HeldBack({ held, leavesAt }: { held: Held; leavesAt: string }) {
  const t = onwardWords();
  const { inquiry } = held;
  useOnward(inquiry, true);
  const send = () => release(inquiry.id);
  const undo = () => undoAndOpen(inquiry.id);
  useKeys({ escape: () => go('/'), enter: send, undo });
  return (
    <article class="sheet is-sent">
      <OpenHead inquiry={inquiry} firstDeadline={inquiry.deadlineAt} />
      <Note inquiry={inquiry} ask={headlineOf(inquiry).ask} prose="" />
      <section class="reply" aria-label={dialogWords().yourAnswer}>
        <Wrote held={held} />
        <p class="hint">
          <Seconds leavesAt={leavesAt} />
        </p>
      </section>
      <Bar>
        <Slab look="line" onPress={undo}>
          {t.undo}
        </Slab>
        <Slab onPress={send}>{t.sendNow}</Slab>
      </Bar>
    </article>
  );
}
