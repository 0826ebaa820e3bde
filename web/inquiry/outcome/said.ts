import type { AnswerContent } from '#shared/answer.ts';
import type { Inquiry, Question } from '#shared/inquiry.ts';
import { answerText } from '#shared/text.ts';
import type { Language } from '../../ui/language.ts';
import { leaves } from '../calls/changes.ts';

/** What a person said, for people: the answer to each of several questions on a line, and each field of a form. */
export function answerLines(inquiry: Inquiry, answer: AnswerContent, language: Language): string {
  const { questions = [] } = inquiry;
  if (questions.length === 0) return answerText(inquiry, answer, language);
  const colon = language === 'zh' ? '：' : ': ';
  const said = questions.map((question) => valueOf(question));
  if (said.length === 1) return said[0] ?? '';
  return questions
    .map(({ header, prompt }, at) => {
      const name = header ?? prompt;
      const line = said[at] ?? '';
      if (line.includes('\n')) return `${name}\n${line}`;
      return /[?？:：]$/.test(name) ? `${name} ${line}` : `${name}${colon}${line}`;
    })
    .join('\n');

  function valueOf(question: Question): string {
    const value = answer.values?.[question.id];
    if (question.type !== 'form' || value === undefined)
      return answerText({ ...inquiry, questions: [question] }, answer, language);
    return [...leaves(JSON.stringify(value))].map(([name, text]) => `${name}${colon}${text}`).join('\n');
  }
}
