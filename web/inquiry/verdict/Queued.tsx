import { answerText } from '#shared/text.ts';
import type { Held } from '../../live/held.ts';
import { sendNow, takeBack } from '../../live/store.ts';
import { now } from '../../ui/clock.ts';
import { language } from '../../ui/language.ts';
import { go } from '../../ui/place.ts';
import { Slab } from '../../ui/Slab.tsx';
import { headlineOf } from '../headline.ts';
import { contentOf } from '../reply/content.ts';
import { sentHere } from '../reply/useReply.ts';
import { Bar } from '../sheet/Bar.tsx';
import { OpenHead } from '../sheet/Letterhead.tsx';
import { Note } from '../sheet/Note.tsx';
import { useKeys } from '../useKeys.ts';
import { dialogWords } from '../words.ts';

/** An answer given without a line to the hub: it waits here, leaves by itself, and can be taken back. */
export function Queued({ held }: { held: Held }) {
  const words = dialogWords();
  const { inquiry } = held;
  const wroteAt = held.queuedAt ? Date.parse(held.queuedAt) : now.value;
  useKeys({ escape: () => go('/'), enter: sendNow });
  return (
    <article class="sheet">
      <OpenHead inquiry={inquiry} writing={false} firstDeadline={inquiry.deadlineAt} />
      <Note inquiry={inquiry} ask={headlineOf(inquiry).ask} prose="" />
      <section class="reply" aria-label={words.yourAnswer}>
        <p class="label">{words.queued.wrote(wroteAt)}</p>
        <p class="quote">“{wordsOf(held) || words.decline}”</p>
        <p class="hint" role="status">
          {words.queued.leaves}
        </p>
      </section>
      <Bar>
        <Slab look="line" onPress={() => void takeBack(inquiry.id)}>
          {words.queued.takeBack}
        </Slab>
        <Slab onPress={sendNow}>{words.queued.tryNow}</Slab>
      </Bar>
    </article>
  );
}

/** What this person wrote, as plain words; empty for a decline without any. */
export function wordsOf({ inquiry, mine }: Held): string {
  const sent = sentHere.get(inquiry.id);
  if (sent?.declined) return sent.reply.text;
  if (sent) return answerText(inquiry, contentOf(inquiry, sent.reply), language.value);
  return mine ? answerText(inquiry, mine, language.value) || (mine.text ?? '') : '';
}
