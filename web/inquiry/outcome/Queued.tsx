import { lazy } from '../../app/lazy.tsx';
import type { InquiryEntry } from '../../live/entry.ts';
import { sendNow, takeBack } from '../../live/store.ts';
import { now } from '../../ui/clock.ts';
import { go } from '../../ui/place.ts';
import { Button } from '../../ui/Button.tsx';
import { headlineOf } from '../headline.ts';
import { Bar } from '../view/Bar.tsx';
import { OpenHead } from '../view/InquiryHead.tsx';
import { Note } from '../view/Note.tsx';
import { useKeys } from '../useKeys.ts';
import { dialogWords } from '../words.ts';

/** For whoever will need it and may have no line by then. */
export const fetchWrote = () => import('./Wrote.tsx').then(({ Wrote: ready }) => ready);
const Wrote = lazy(fetchWrote);

/** An answer given without a line to the hub: it waits here, leaves by itself, and can be taken back. */
export function Queued({ entry }: { entry: InquiryEntry }) {
  const words = dialogWords();
  const { inquiry } = entry;
  const wroteAt = entry.queuedAt ? Date.parse(entry.queuedAt) : now.value;
  useKeys({ escape: () => go('/'), enter: sendNow });
  return (
    <article class="panel">
      <OpenHead inquiry={inquiry} firstDeadline={inquiry.deadlineAt} />
      <Note inquiry={inquiry} ask={headlineOf(inquiry).ask} prose="" />
      <section class="reply" aria-label={words.yourAnswer}>
        <p class="label">{words.queued.wrote(wroteAt)}</p>
        <Wrote entry={entry} />
        <p class="hint" role="status">
          {words.queued.leaves}
        </p>
      </section>
      <Bar>
        <Button look="line" onPress={() => void takeBack(inquiry.id)}>
          {words.queued.undo}
        </Button>
        <Button onPress={sendNow}>{words.queued.tryNow}</Button>
      </Bar>
    </article>
  );
}
