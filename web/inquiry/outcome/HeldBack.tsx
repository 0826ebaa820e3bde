import type { AnswerContent } from '#shared/answer.ts';
import type { InquiryEntry } from '../../live/entry.ts';
import { go } from '../../ui/place.ts';
import { Button } from '../../ui/Button.tsx';
import { language } from '../../ui/language.ts';
import { readHeadline } from '../view/headline.ts';
import { Bar } from '../view/Bar.tsx';
import { OpenHead } from '../view/InquiryHead.tsx';
import { Note } from '../view/Note.tsx';
import { useKeys } from '../view/keys.ts';
import { dialogWords } from '../words.ts';
import { toContent } from '../reply/content.ts';
import { sentHere } from '../reply/useReply.ts';
import { Decisions } from './Decisions.tsx';
import { useOnward } from './next.ts';
import { verdictWords } from './outcome.ts';
import { answerLines } from './said.ts';

/** An answer while it can be undone, in the bar: for a short moment, or until it leaves where nothing else waits. */
export function HeldBack({ entry }: { entry: InquiryEntry }) {
  const { inquiry } = entry;
  useOnward(inquiry, true);
  const away = () => go('/');
  useKeys({ escape: away });
  return (
    <article class="panel is-sent">
      <OpenHead inquiry={inquiry} firstDeadline={inquiry.deadlineAt} />
      <Note inquiry={inquiry} ask={readHeadline(inquiry).ask} prose="" />
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

/** What this person wrote, as plain words; that they declined, where they did so without any. */
export function Wrote({ entry }: { entry: InquiryEntry }) {
  const { decisions } = contentOf(entry);
  if (decisions) return <Decisions {...{ inquiry: entry.inquiry, decisions }} />;
  return (
    <p class="quote" dir="auto">
      “{sayWritten(entry) || dialogWords().decline}”
    </p>
  );
}

// Without quotation marks; blank where nothing was said.
function sayWritten(entry: InquiryEntry): string {
  const sent = sentHere.get(entry.inquiry.id);
  if (sent?.declined) return sent.reply.text;
  const content = contentOf(entry);
  return answerLines(entry.inquiry, content, language.value) || (content.text ?? '');
}

function contentOf({ inquiry, own }: InquiryEntry): AnswerContent {
  const sent = sentHere.get(inquiry.id);
  if (sent) return sent.declined ? {} : toContent(inquiry, sent.reply);
  return own ?? {};
}
