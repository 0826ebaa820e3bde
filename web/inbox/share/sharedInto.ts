import type { AnswerContent } from '#shared/answer.ts';
import { kindOf } from '#shared/fit.ts';
import type { Inquiry } from '#shared/inquiry.ts';

/** The words begun for an inquiry with what was shared added to them; undefined where it takes no words, and never a decision to run something. */
export function sharedInto(inquiry: Inquiry, own: AnswerContent | undefined, text: string): AnswerContent | undefined {
  const after = (words: string | undefined) => (words ? `${words}\n${text}` : text);
  switch (kindOf(inquiry)) {
    case 'text':
      return { ...own, text: after(own?.text) };
    case 'document':
      return { ...own, markdown: `${own?.markdown ?? inquiry.document?.markdown ?? ''}\n\n${text}` };
    case 'questions':
      return intoQuestion(inquiry, own, after);
    case 'actions': {
      const [only, ...more] = inquiry.actions ?? [];
      return more.length === 0 && only?.allowed.includes('respond')
        ? { decisions: [{ type: 'respond', message: text }] }
        : undefined;
    }
    case 'link':
      return undefined;
  }
}

function intoQuestion(inquiry: Inquiry, own: AnswerContent | undefined, after: (words: string | undefined) => string) {
  const questions = inquiry.questions ?? [];
  const written = questions.find((question) => question.type === 'text' && question.secret !== true);
  if (written) {
    const { [written.id]: said } = own?.values ?? {};
    const values = { ...own?.values, [written.id]: after(typeof said === 'string' ? said : undefined) };
    return { ...own, values };
  }
  const open = questions.find((question) => 'options' in question && question.allowOther === true);
  return open && { ...own, other: { ...own?.other, [open.id]: after(own?.other?.[open.id]) } };
}
