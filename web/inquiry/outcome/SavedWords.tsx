import { kindOf } from '#shared/fit.ts';
import type { AnswerContent } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { InquiryEntry } from '../../live/entry.ts';
import { language } from '../../ui/language.ts';
import { Lines } from '../../ui/Lines.tsx';
import { Quiet } from '../../ui/Button.tsx';
import { toContent } from '../reply/content.ts';
import type { Answering } from '../reply/useReply.ts';
import { dialogWords } from '../words.ts';
import { verdictWords } from './outcome.ts';
import { answerLines, wordsWith } from './said.ts';

/** What this person had written when the inquiry was taken away: never lost, and free to be sent as a remark. */
export function SavedWords({
  entry: { inquiry },
  answering,
  source,
  remarked,
  hint,
}: {
  entry: InquiryEntry;
  answering: Answering;
  source: string;
  remarked: boolean;
  hint: string;
}) {
  const words = dialogWords();
  const verdict = verdictWords();
  const { reply, change } = answering;
  const free = kindOf(inquiry) === 'text' || kindOf(inquiry) === 'link';
  const text = free
    ? reply.text
    : [written(inquiry, toContent(inquiry, reply)), reply.text].filter((part) => part.trim() !== '').join('\n');
  return (
    <section class="reply saved-words" aria-label={verdict.wordsKept}>
      <div class="label">
        <span>{verdict.wordsKept}</span>
        <Quiet icon="copy" onPress={() => void navigator.clipboard?.writeText(text)}>
          {words.call.copy}
        </Quiet>
      </div>
      {free && !remarked ? (
        <Lines
          label={verdict.wordsKept}
          value={reply.text}
          rows={2}
          onWrite={(written) => change((before) => ({ ...before, text: written }))}
        />
      ) : (
        <p class="quote" dir="auto">
          {text}
        </p>
      )}
      <p class="hint" role="status">
        {remarked ? verdict.remarkSent(source) : hint}
      </p>
    </section>
  );
}

// Of calls what was written: the words with a decision, and arguments as they were changed.
function written(inquiry: Inquiry, content: AnswerContent): string {
  const { actions } = inquiry;
  if (!actions) return answerLines(inquiry, content, language.value);
  return (content.decisions ?? [])
    .flatMap((decision, at) => {
      if (decision.type === 'edit') return [decision.argsText ?? JSON.stringify(decision.args)];
      return actions[at] ? wordsWith(actions[at], decision) : [];
    })
    .join('\n');
}
