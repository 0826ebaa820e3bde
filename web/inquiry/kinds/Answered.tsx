import { answerText } from '#shared/text.ts';
import type { Inquiry, Question } from '#shared/inquiry.ts';
import { visible } from '#shared/visible.ts';
import { language } from '../../ui/language.ts';
import { UntrustedText } from '../../ui/UntrustedText.tsx';
import { firstLine } from '../view/headline.ts';
import { toContent } from '../reply/content.ts';
import { findPart, type Reply } from '../reply/state.ts';
import { forms } from '../reply/form/ready.ts';
import { dialogWords } from '../words.ts';

type AnsweredProps = { inquiry: Inquiry; reply: Reply; upTo: number; onTurn: (place: number) => void };

/** What was answered on earlier pages; a tap goes back to it. */
export function Answered({ inquiry, reply, upTo, onTurn }: AnsweredProps) {
  const words = dialogWords();
  return (
    <ul class="said" aria-label={words.said}>
      {(inquiry.questions ?? []).slice(0, upTo).map((question, place) => {
        const said = answeredWords(question, reply);
        const own = findPart(reply, question.id)?.own;
        return (
          <li key={question.id}>
            <button type="button" onClick={() => onTurn(place)}>
              <span dir="auto">
                <UntrustedText text={question.header ?? firstLine(question.prompt)} />
              </span>
              <b class={said === undefined ? 'is-blank' : own ? undefined : 'is-suggested'} dir="auto">
                {said === undefined ? words.blank : visible(said)}
              </b>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function answeredWords(question: Question, reply: Reply): string | undefined {
  const part = findPart(reply, question.id);
  if (question.type === 'form' && part?.type === 'form') {
    const said = forms().wordsOfForm(question, part);
    if (said !== undefined) return said || undefined;
  }
  const alone = { questions: [question] };
  const content = toContent(alone as Inquiry, reply);
  if (content.values?.[question.id] === undefined && content.other?.[question.id] === undefined) return undefined;
  return answerText(alone, content, language.value);
}
