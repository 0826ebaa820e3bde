import type { AnswerContent, Decision } from '#shared/answer.ts';
import type { Inquiry, Question } from '#shared/inquiry.ts';
import { readArgsText } from '../../live/inquiries.ts';
import { forms } from './form/ready.ts';
import type { Part } from './form/values.ts';

/** What a person is about to decide on one call. */
export type CallReply = { own: boolean; type?: Decision['type']; optionId?: string; message: string; argsText: string };

/** A whole answer while it is being made. Never changed in place. */
export type Reply = { own: boolean; text: string; markdown: string; parts: Record<string, Part>; calls: CallReply[] };

/** The reply an inquiry opens with: the suggestion, the agent's defaults, or blank. */
export function firstReply(inquiry: Inquiry): Reply {
  return replyFrom(inquiry, inquiry.suggested ?? {}, false);
}

/**
 * A reply made of an answer's content: a suggestion (`own` false), a draft from elsewhere or words kept here. What
 * those do not speak of nobody has touched; it stands as it was suggested.
 */
export function replyFrom(inquiry: Inquiry, content: AnswerContent, own: boolean): Reply {
  return {
    own,
    text: content.text ?? '',
    markdown: content.markdown ?? inquiry.document?.markdown ?? '',
    parts: Object.fromEntries(
      (inquiry.questions ?? []).map((question) => [
        question.id,
        own && !says(content, question.id)
          ? partFrom(question, inquiry.suggested ?? {}, false)
          : partFrom(question, content, own),
      ]),
    ),
    calls: (inquiry.actions ?? []).map((_, at) => callFrom(inquiry, at, content.decisions?.[at], own)),
  };
}

/** The part of one question, whatever its id. */
export function findPart(reply: Pick<Reply, 'parts'>, id: string): Part | undefined {
  return lookUp(reply.parts, id);
}

function partFrom(question: Question, content: AnswerContent, own: boolean): Part {
  const value = lookUp(content.values, question.id);
  const other = lookUp(content.other, question.id);
  const touched = own && (value !== undefined || other !== undefined);
  switch (question.type) {
    case 'text':
      return { type: 'text', own: touched, text: typeof value === 'string' ? value : '' };
    case 'choice':
    case 'multi': {
      const known = new Set(question.options.map((option) => option.value));
      const picks = (Array.isArray(value) ? value : [value]).filter(
        (pick): pick is string => typeof pick === 'string' && known.has(pick),
      );
      return { type: question.type, own: touched, picks, otherOn: other !== undefined, other: other ?? '' };
    }
    case 'form':
      return { type: 'form', own: touched, ...forms().beginForm(question, value, touched) };
  }
}

function callFrom(inquiry: Inquiry, at: number, decision: Decision | undefined, own: boolean): CallReply {
  const blank: CallReply = { own: own && decision !== undefined, message: '', argsText: readArgsText(inquiry, at) };
  if (!decision) return blank;
  return {
    ...blank,
    type: decision.type,
    ...('optionId' in decision && decision.optionId !== undefined ? { optionId: decision.optionId } : {}),
    ...('message' in decision && decision.message !== undefined ? { message: decision.message } : {}),
    ...(decision.type === 'edit' ? { argsText: decision.argsText ?? JSON.stringify(decision.args) } : {}),
  };
}

function says({ values, other }: AnswerContent, id: string): boolean {
  return lookUp(values, id) !== undefined || lookUp(other, id) !== undefined;
}

function lookUp<T>(record: Record<string, T> | undefined, id: string): T | undefined {
  return record && Object.hasOwn(record, id) ? record[id] : undefined;
}

/** True for a reply with which something would run. */
export function approves({ calls }: Reply): boolean {
  return calls.some(({ type }) => type === 'approve' || type === 'edit');
}

/** True where a call of these cannot be taken back: nothing that is said of it is folded. */
export function isCautious({ actions }: Pick<Inquiry, 'actions'>): boolean {
  return actions?.some(({ caution }) => caution) ?? false;
}
