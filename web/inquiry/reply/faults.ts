import { answerFaults, kindOf } from '#shared/fit.ts';
import type { Inquiry, Question } from '#shared/inquiry.ts';
import { contentOf } from './content.ts';
import { fieldFaults, isSkipped } from './form/faults.ts';
import { formOf } from './form/schema.ts';
import { type Part, type PartOf, partOf, type Reply } from './state.ts';
import { at as stateOf } from './form/values.ts';

/** What keeps a reply from being sent: where (a question's id or a call's place, and the form field) and why. */
export type ReplyFault = { at: string; field?: string; code: string; params: Record<string, unknown> };

/** All that keeps the whole reply from being sent (RES3); empty when it may go. */
export function replyFaults(inquiry: Inquiry, reply: Reply): ReplyFault[] {
  if (kindOf(inquiry) === 'questions')
    return (inquiry.questions ?? []).flatMap((question) => questionFaults(question, partOf(reply, question.id)));
  const calls = reply.calls.flatMap((call, at): ReplyFault[] => {
    if (call.type === undefined || (call.type === 'respond' && call.message.trim() === ''))
      return [{ at: String(at), code: 'answer.missing', params: {} }];
    const code = call.type === 'edit' ? jsonFault(call.argsText) : undefined;
    return code ? [{ at: String(at), code, params: {} }] : [];
  });
  if (calls.length > 0) return calls;
  return answerFaults(inquiry, contentOf(inquiry, reply)).map(({ path, code, params }) => ({
    at: path.split('/')[2] ?? '',
    code,
    params: params ?? {},
  }));
}

/** All that keeps one question's answer from being sent. */
export function questionFaults(question: Question, part: Part | undefined): ReplyFault[] {
  if (!part) return [];
  const at = question.id;
  if (question.type === 'form' && part.type === 'form') return formFaults(question, part);
  if ('otherOn' in part && part.otherOn && part.other.trim() === '') return [{ at, code: 'answer.empty', params: {} }];
  const alone = { questions: [question] };
  const content = contentOf(alone as Inquiry, { own: true, text: '', markdown: '', parts: { [at]: part }, calls: [] });
  return answerFaults(alone, content).map(({ code, params }) => ({ at, code, params: params ?? {} }));
}

function formFaults(question: Extract<Question, { type: 'form' }>, part: PartOf<'form'>): ReplyFault[] {
  const at = question.id;
  const fields = formOf(question.schema);
  if (fields) {
    if (isSkipped(question, part, fields)) return [];
    return fields.flatMap((field) =>
      fieldFaults(field, stateOf(part.raw, field.name)).map((fault) => ({ at, field: field.name, ...fault })),
    );
  }
  if (part.json.trim() === '') return question.required === false ? [] : [{ at, code: 'answer.missing', params: {} }];
  const code = jsonFault(part.json);
  if (code) return [{ at, code, params: {} }];
  if (!isObjectText(part.json)) return [{ at, code: 'json.object', params: {} }];
  const number = inexactNumber(part.json);
  return number === undefined ? [] : [{ at, code: 'json.inexact', params: { number } }];
}

function isObjectText(text: string): boolean {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function jsonFault(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    return 'json.malformed';
  }
}

/** The first number of a JSON text that would change on its way through a double. */
export function inexactNumber(text: string): string | undefined {
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g)) {
    if (!token.startsWith('"') && /^-?\d{16,}$/.test(token) && String(Number(token)) !== token) return token;
  }
  return undefined;
}
