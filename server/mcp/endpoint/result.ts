import type { By, LateAnswer } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { AppError } from '#shared/problem.ts';
import { usable } from '../../inquiries/validity.ts';
import type { ToolResult } from './call.ts';
import type { FlatSchema } from './schema.ts';
import type { Words } from './words/vocabulary.ts';
/** In the `_meta` of a pending result: the hub is stopping, so whoever can may send the same call again instead. */
export const STOPPING_META = 'dev.beckon/stopping';

const text = (description: string): FlatSchema => ({ type: 'string', description });

/** What `send_inquiry`, `get_answer` and `withdraw_inquiry` return as data. */
export const OUTCOME_SCHEMA: FlatSchema & { type: 'object' } = {
  type: 'object',
  properties: {
    status: { type: 'string', enum: ['resolved', 'pending'] },
    inquiryId: text('For get_answer and withdraw_inquiry.'),
    text: text('The same as the text of the result.'),
    outcome: { type: 'string', enum: ['answered', 'declined', 'expired', 'withdrawn'] },
    answer: { type: 'object', description: 'The answer as it was given: text, values, other, decisions or markdown.' },
    message: text('Words with a decline or a withdrawal.'),
    by: { type: 'object', description: 'Who or what resolved it.' },
    at: text('When it was resolved.'),
    validUntil: text('With an approved call: from this instant on do not run it.'),
    deadlineAt: text('When it expires.'),
    late: { type: 'array', items: { type: 'object' }, description: 'Answers that came after it expired.' },
  },
  required: ['status', 'inquiryId', 'text'],
};

/** The result of a call whose inquiry is resolved, or still open; at `now` an approval that ended is none. `told`: by an event. */
export function outcomeResult(
  inquiry: Inquiry,
  words: Words,
  { now, stopping = false, told = false }: { now: number; stopping?: boolean; told?: boolean },
): ToolResult {
  const { id: inquiryId, deadlineAt, resolution, late } = usable(inquiry, now);
  if (!resolution) {
    const said = told ? words.pendingTold(inquiryId) : words.pending(inquiryId);
    return {
      ...toolResult(said, { status: 'pending', inquiryId, text: said, deadlineAt }),
      ...(stopping ? { _meta: { [STOPPING_META]: true } } : {}),
    };
  }
  const { outcome, answer, message, by, at, validUntil } = resolution;
  const said = [
    resolution.text,
    ...(validUntil === undefined ? [] : [words.validUntil(validUntil)]),
    ...(late ?? []).map((one) => words.lateAnswer(resolverName(one), one.text)),
  ].join('\n');
  return toolResult(said, {
    status: 'resolved',
    inquiryId,
    outcome,
    text: said,
    ...(answer ? { answer } : {}),
    ...(message === undefined ? {} : { message }),
    by,
    at,
    ...(validUntil === undefined ? {} : { validUntil }),
    ...(late ? { late } : {}),
  });
}

export function toolResult(said: string, structuredContent: Record<string, unknown>): ToolResult {
  return { content: [{ type: 'text', text: said }], structuredContent };
}

/** A refusal as a result the model can read, every fault with its place. */
export function refusalResult(error: AppError, words: Words): ToolResult {
  const faults = error.faults?.map(({ path, message }) => `- ${path === '' ? '/' : path} ${message}`).join('\n');
  return { content: [{ type: 'text', text: faults ? words.faults(faults) : error.message }], isError: true };
}

/** Who resolved or answered, as a name to show. */
export function resolverName({ by }: { by: By } | LateAnswer): string {
  return by.kind === 'person' ? by.handle : by.label;
}
