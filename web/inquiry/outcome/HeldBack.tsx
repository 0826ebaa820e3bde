import type { InquiryEntry } from '../../live/entry.ts';
import { go } from '../../ui/place.ts';
import { Button } from '../../ui/Button.tsx';
import { headlineOf } from '../headline.ts';
import { useOnward } from '../next/next.ts';
import { Bar } from '../view/Bar.tsx';
import { OpenHead } from '../view/InquiryHead.tsx';
import { Note } from '../view/Note.tsx';
import { useKeys } from '../useKeys.ts';
import { dialogWords } from '../words.ts';
import { verdictWords } from './words.ts';
import { Wrote } from './Wrote.tsx';

/** An answer while it can be undone, in the bar: for a short moment, or until it leaves where nothing else waits. */
export function HeldBack({ entry }: { entry: InquiryEntry }) {
  const { inquiry } = entry;
  useOnward(inquiry, true);
  const away = () => go('/');
  useKeys({ escape: away });
  return (
    <article class="panel is-sent">
      <OpenHead inquiry={inquiry} firstDeadline={inquiry.deadlineAt} />
      <Note inquiry={inquiry} ask={headlineOf(inquiry).ask} prose="" />
      <section class="reply" aria-label={dialogWords().yourAnswer}>
        <Wrote entry={entry} />
      </section>
      <Bar>
        <Button look="line" onPress={away} cap="esc">
          {verdictWords().inbox}
        </Button>
      </Bar>
    </article>
  );
}
