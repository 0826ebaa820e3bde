import type { AnswerContent, Decision } from '#shared/answer.ts';
import { kindOf } from '#shared/fit.ts';
import type { Inquiry, Question } from '#shared/inquiry.ts';
import { forms } from './form/ready.ts';
import type { Part } from './form/values.ts';
import { type CallReply, findPart, type Reply } from './state.ts';

/** The answer as it is sent; what was skipped is absent, edited arguments travel exactly as typed. */
export function toContent(inquiry: Inquiry, reply: Reply): AnswerContent {
  switch (kindOf(inquiry)) {
    case 'text':
      return { text: reply.text };
    case 'link':
      return reply.text.trim() === '' ? {} : { text: reply.text };
    case 'document':
      return { markdown: reply.markdown };
    case 'questions':
      return questionsContent(inquiry.questions ?? [], reply, false);
    case 'actions':
      return { decisions: reply.calls.map(toDecision).filter((decision) => decision !== undefined) };
  }
}

/** The same while it is being made, to be kept and to follow to another device: unfinished parts are kept as they are. */
export function toDraft(inquiry: Inquiry, reply: Reply): AnswerContent {
  if (kindOf(inquiry) === 'questions') return questionsContent(inquiry.questions ?? [], reply, true);
  if (kindOf(inquiry) !== 'actions') return toContent(inquiry, reply);
  // Decisions stand in the calls' order, so a draft ends before the first call nobody decided.
  const decided = reply.calls.map(toDecision);
  const end = decided.indexOf(undefined);
  return { decisions: (end === -1 ? decided : decided.slice(0, end)).filter((decision) => decision !== undefined) };
}

/** True when words would be missed if the panel were taken away; a pick is made again with one tap. */
export function hasWords(inquiry: Inquiry, reply: Reply): boolean {
  if (!reply.own) return false;
  if (kindOf(inquiry) === 'questions') return Object.values(reply.parts).some((part) => part.own && isWritten(part));
  const { text, markdown, decisions } = toDraft(inquiry, reply);
  return (
    (text ?? '').trim() !== '' ||
    (markdown !== undefined && markdown !== inquiry.document?.markdown) ||
    (decisions ?? []).some((decision) => decision.type === 'edit' || ('message' in decision && decision.message))
  );
}

function isWritten(part: Part): boolean {
  switch (part.type) {
    case 'text':
      return part.text.trim() !== '';
    case 'choice':
    case 'multi':
      return part.otherOn && part.other.trim() !== '';
    case 'form':
      return part.json.trim() !== '' || Object.values(part.raw).some((raw) => typeof raw === 'string' && raw !== '');
  }
}

function questionsContent(questions: Question[], reply: Reply, unfinished: boolean): AnswerContent {
  const values: [string, unknown][] = [];
  const other: [string, string][] = [];
  for (const question of questions) {
    const part = findPart(reply, question.id);
    // A draft tells only what was touched: the rest stands as it was asked.
    if (!part || (unfinished && !part.own)) continue;
    const value = toValue(question, part, unfinished);
    if (value !== undefined) values.push([question.id, value]);
    if ('otherOn' in part && part.otherOn && (unfinished || part.other.trim() !== ''))
      other.push([question.id, part.other]);
  }
  return {
    values: Object.fromEntries(values),
    ...(other.length > 0 ? { other: Object.fromEntries(other) } : {}),
  };
}

function toValue(question: Question, part: Part, unfinished: boolean): unknown {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' && !unfinished ? undefined : part.text;
    case 'choice':
      return part.otherOn ? undefined : (part.picks[0] ?? (unfinished ? [] : undefined));
    case 'multi':
      return part.picks.length > 0 ||
        unfinished ||
        (part.otherOn && part.other.trim() !== '') ||
        takesNone(question, part)
        ? part.picks
        : undefined;
    case 'form':
      return question.type === 'form' ? forms().formValue(question, part, unfinished) : undefined;
  }
}

// Where none of several is enough, none is an answer; where the question may be skipped, only if it was touched.
function takesNone(question: Question, part: Part): boolean {
  if (question.type !== 'multi' || ('otherOn' in part && part.otherOn)) return false;
  return question.required === false ? part.own && !question.min : question.min === 0;
}

function toDecision(call: CallReply): Decision | undefined {
  const option = call.optionId === undefined ? {} : { optionId: call.optionId };
  switch (call.type) {
    case 'approve':
      return { type: 'approve', ...option };
    case 'reject':
      return { type: 'reject', ...option, ...(call.message.trim() === '' ? {} : { message: call.message }) };
    case 'edit':
      return { type: 'edit', argsText: call.argsText };
    case 'respond':
      return call.message.trim() === '' ? undefined : { type: 'respond', message: call.message };
    default:
      return undefined;
  }
}
