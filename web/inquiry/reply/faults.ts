import { answerFaults, kindOf } from '#shared/fit.ts';
import type { Inquiry, Question } from '#shared/inquiry.ts';
import { toContent } from './content.ts';
import { forms } from './form/ready.ts';
import { jsonFault } from './json.ts';
import type { Part } from './form/values.ts';
import { findPart, type Reply } from './state.ts';

/** What keeps a reply from being sent: where (a question's id or a call's place, and the form field) and why. */
export type ReplyFault = { at: string; field?: string; code: string; params: Record<string, unknown> };

/** All that keeps the whole reply from being sent (RES3); empty when it may go. */
export function replyFaults(inquiry: Inquiry, reply: Reply): ReplyFault[] {
  if (kindOf(inquiry) === 'questions')
    return (inquiry.questions ?? []).flatMap((question) => questionFaults(question, findPart(reply, question.id)));
  const calls = reply.calls.flatMap((call, at): ReplyFault[] => {
    if (call.type === undefined || (call.type === 'respond' && call.message.trim() === ''))
      return [{ at: String(at), code: 'answer.missing', params: {} }];
    const code = call.type === 'edit' ? jsonFault(call.argsText) : undefined;
    return code ? [{ at: String(at), code, params: {} }] : [];
  });
  if (calls.length > 0) return calls;
  return answerFaults(inquiry, toContent(inquiry, reply)).map(({ path, code, params }) => ({
    at: path.split('/')[2] ?? '',
    code,
    params: params ?? {},
  }));
}

/** All that keeps one question's answer from being sent. */
export function questionFaults(question: Question, part: Part | undefined): ReplyFault[] {
  if (!part) return [];
  const at = question.id;
  if (question.type === 'form' && part.type === 'form')
    return forms()
      .formFaults(question, part)
      .map((fault) => ({ at, ...fault }));
  if ('otherOn' in part && part.otherOn && part.other.trim() === '') return [{ at, code: 'answer.empty', params: {} }];
  const alone = { questions: [question] };
  const content = toContent(alone as Inquiry, { own: true, text: '', markdown: '', parts: { [at]: part }, calls: [] });
  return answerFaults(alone, content).map(({ code, params }) => ({ at, code, params: params ?? {} }));
}
