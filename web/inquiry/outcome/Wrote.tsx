import { answerText } from '#shared/text.ts';
import type { InquiryEntry } from '../../live/entry.ts';
import { language } from '../../ui/language.ts';
import { contentOf } from '../reply/content.ts';
import { sentHere } from '../reply/useReply.ts';
import { dialogWords } from '../words.ts';

/** What this person wrote, as plain words; that they declined, where they did so without any. */
export function Wrote({ entry }: { entry: InquiryEntry }) {
  return (
    <p class="quote" dir="auto">
      “{wordsOf(entry) || dialogWords().decline}”
    </p>
  );
}

/** The same without quotation marks; blank where nothing was said. */
export function wordsOf({ inquiry, own }: Pick<InquiryEntry, 'inquiry' | 'own'>): string {
  const sent = sentHere.get(inquiry.id);
  if (sent?.declined) return sent.reply.text;
  if (sent) return answerText(inquiry, contentOf(inquiry, sent.reply), language.value);
  return own ? answerText(inquiry, own, language.value) || (own.text ?? '') : '';
}
