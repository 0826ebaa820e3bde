import { z } from 'zod';
import type { Action, ActionOption, Ask } from '#shared/inquiry.ts';
import { JsonObject } from '#shared/schemas/values.ts';
import { withoutUndefined, parseExact, type Json } from '#shared/json.ts';
import { readEnds, type Answered, type Part } from '../dialect.ts';
import { readDiff } from './diff.ts';
import { toAnswers, ASK_USER_QUESTION, questionsPart } from './questions.ts';

/** Where a call stands in a body, as JSON Pointers. */
export type CallAt = { name: string; input: string };
/** A call of a coding agent's tool. */
export type Call = { name: string; input: Record<string, unknown> };
export type Offered = {
  allowed: Action['allowed'];
  options?: ActionOption[] | undefined;
  description?: string | undefined;
  caution?: boolean | undefined;
  title?: string | undefined;
  context: NonNullable<Ask['context']>;
};

/** One call as an inquiry: its arguments, and what they change in files. Claude's question to its user is questions. */
export function callPart({ name, input }: Call, at: CallAt, { context, title, ...offered }: Offered): Part {
  if (name === ASK_USER_QUESTION) return questionsPart(input, at.input, context);
  const action = withoutUndefined({
    ...offered,
    name,
    args: input as Json,
    argsSchema: offered.allowed.includes('edit') ? { type: 'object' } : undefined,
    diff: readDiff(name, input),
  });
  return {
    ask: { ...(title === undefined ? {} : { title }), actions: [action], context },
    places: [
      ['/actions/0/name', at.name],
      ['/actions/0/args', at.input],
      ...(action.diff ? [['/actions/0/diff', at.input] as [string, string]] : []),
    ],
  };
}

/** All that a reply needs of the call besides its inquiry: the input of Claude's question to its user, which goes back whole. */
export function toKeep({ name, input }: Call): { questions?: Record<string, unknown> } {
  return name === ASK_USER_QUESTION ? { questions: input } : {};
}

/** What becomes of the call; `words` are for its model. Only "allow" lets it run, and only a person says it. */
export type Verdict =
  | { type: 'allow'; input?: unknown; option?: ActionOption | undefined }
  | { type: 'deny' | 'nobody'; words: string };

const Kept = z.object({ questions: JsonObject.optional() });

/** What people decided about the call of `callPart`. */
export function readVerdict(keep: unknown, [inquiry]: Answered[]): Verdict {
  if (!inquiry) return { type: 'nobody', words: 'Nobody was asked.' };
  const { outcome, text, answer } = inquiry.resolution;
  const { questions } = Kept.parse(keep);
  if (questions && outcome === 'answered')
    return { type: 'allow', input: { ...questions, answers: toAnswers(inquiry, answer ?? {}) } };
  const [end] = readEnds([inquiry]);
  switch (end?.type) {
    case 'approve':
      return { type: 'allow', option: end.option };
    case 'edit':
      return { type: 'allow', input: end.args ?? parseExact(end.argsText ?? '') };
    case 'reject':
    case 'respond':
      return { type: 'deny', words: end.message || text };
    case 'declined':
    case 'nobody':
    case undefined:
      return { type: outcome === 'declined' ? 'deny' : 'nobody', words: text };
  }
}

/** Claude's form of a permission: only what a person changed, and the suggestion they chose. */
export function allowed({ input, option }: Omit<Extract<Verdict, { type: 'allow' }>, 'type'>): object {
  const permissions = option?.data === undefined ? undefined : [option.data];
  return withoutUndefined({ behavior: 'allow', updatedInput: input, updatedPermissions: permissions });
}
