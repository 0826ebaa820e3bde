import { answerFaults, kindOf } from '#shared/fit.ts';
import type { Inquiry, Question } from '#shared/inquiry.ts';
import { contentOf } from './content.ts';
import { formOf, type FormField, type Raw } from './form.ts';
import type { Part, Reply } from './state.ts';

/** What keeps a reply from being sent: where (a question's id or a call's place, and the form field) and why. */
export type ReplyFault = { at: string; field?: string; code: string; params: Record<string, unknown> };

/** All that keeps the whole reply from being sent (RES3); empty when it may go. */
export function replyFaults(inquiry: Inquiry, reply: Reply): ReplyFault[] {
  if (kindOf(inquiry) === 'questions')
    return (inquiry.questions ?? []).flatMap((question) => questionFaults(question, reply.parts[question.id]));
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
  if (question.type === 'form' && part.type === 'form') {
    const fields = formOf(question.schema);
    if (fields)
      return isBlank(part.raw) && question.required === false
        ? []
        : fields.flatMap((field) =>
            fieldFaults(field, part.raw[field.name]).map((fault) => ({ at, field: field.name, ...fault })),
          );
    if (part.json.trim() === '') return question.required === false ? [] : [{ at, code: 'answer.missing', params: {} }];
    const code = jsonFault(part.json);
    if (code) return [{ at, code, params: {} }];
    const number = inexactNumber(part.json);
    return number === undefined ? [] : [{ at, code: 'json.inexact', params: { number } }];
  }
  if ('otherOn' in part && part.otherOn && part.other.trim() === '') return [{ at, code: 'answer.empty', params: {} }];
  const alone = { questions: [question] };
  const content = contentOf(alone as Inquiry, { own: true, text: '', markdown: '', parts: { [at]: part }, calls: [] });
  return answerFaults(alone, content).map(({ code, params }) => ({ at, code, params: params ?? {} }));
}

/** All that is wrong with what stands in one field of a form. */
export function fieldFaults(field: FormField, raw: Raw[string] | undefined): Pick<ReplyFault, 'code' | 'params'>[] {
  if (raw === undefined || raw === '' || (Array.isArray(raw) && raw.length === 0))
    return field.required ? [{ code: 'answer.missing', params: {} }] : [];
  const fault = (code: string, params: Record<string, unknown> = {}) => [{ code, params }];
  switch (field.kind) {
    case 'number':
    case 'integer': {
      const text = String(raw).trim();
      const number = Number(text);
      if (text === '' || !Number.isFinite(number)) return fault('field.number');
      if (field.kind === 'integer' && !Number.isInteger(number)) return fault('field.integer');
      if (Math.abs(number) > Number.MAX_SAFE_INTEGER) return fault('json.inexact', { number: text });
      if (field.minimum !== undefined && number < field.minimum)
        return fault('field.minimum', { minimum: field.minimum });
      if (field.maximum !== undefined && number > field.maximum)
        return fault('field.maximum', { maximum: field.maximum });
      return [];
    }
    case 'string':
      return stringFaults(field, String(raw), fault);
    case 'multi': {
      const count = Array.isArray(raw) ? raw.length : 0;
      if (count < (field.minItems ?? 0)) return fault('answer.too_few', { minimum: field.minItems });
      return count > (field.maxItems ?? Infinity) ? fault('answer.too_many', { maximum: field.maxItems }) : [];
    }
    default:
      return [];
  }
}

function stringFaults(
  field: Extract<FormField, { kind: 'string' }>,
  text: string,
  fault: (code: string, params?: Record<string, unknown>) => Pick<ReplyFault, 'code' | 'params'>[],
) {
  const length = [...text].length;
  if (field.minLength !== undefined && length < field.minLength)
    return fault('field.too_short', { minimum: field.minLength });
  if (field.maxLength !== undefined && length > field.maxLength)
    return fault('field.too_long', { maximum: field.maxLength });
  if (field.pattern !== undefined && !fits(field.pattern, text))
    return fault('field.pattern', { pattern: field.pattern });
  if (field.format === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text)) return fault('field.email');
  if (field.format === 'uri' && !URL.canParse(text)) return fault('field.uri');
  if ((field.format === 'date' || field.format === 'date-time') && Number.isNaN(Date.parse(text)))
    return fault('field.date');
  return [];
}

// A pattern the browser does not know is left to the hub.
function fits(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

function isBlank(raw: Raw): boolean {
  return Object.values(raw).every((value) => value === '' || (Array.isArray(value) && value.length === 0));
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
