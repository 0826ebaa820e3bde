import type { Action } from '#shared/inquiry.ts';
import { argsOf, endsOf, unanswered, type Answered, type End } from '../dialect.ts';
import { withDefaults } from '../schema.ts';
import type { Kept, Names } from './kept.ts';

/**
 * The resume of `Command`, by the ids of the interrupts, or the `{decisions}` of one request that stood alone. An interrupt
 * without an answer is left out and stays; where none has one, `unanswered` is thrown: JavaScript takes `{}` for an answer.
 */
export function write(keep: unknown, inquiries: Answered[]): unknown {
  let from = 0;
  const answers = (keep as Kept[]).flatMap((kept) => {
    const value = answerOf(kept, inquiries.slice(from, (from += kept.parts)));
    return value === undefined ? [] : [{ id: kept.id, value }];
  });
  const [first] = answers;
  if (!first) throw unanswered(undecided(inquiries));
  return first.id === undefined
    ? first.value
    : { resume: Object.fromEntries(answers.map(({ id, value }) => [id, value])) };
}

function undecided(inquiries: Answered[]): Answered['resolution'] {
  const resolutions = inquiries.map(({ resolution }) => resolution);
  const open = resolutions.find(({ outcome }) => outcome !== 'answered') ?? resolutions[0];
  if (!open) throw new Error('an ask without inquiries');
  return open;
}

/** What one interrupt is resumed with; undefined: nobody answered, and it has no word for that. */
function answerOf(kept: Kept, inquiries: Answered[]): unknown {
  const [only] = inquiries;
  if (!only) return undefined;
  const { answer } = only.resolution.outcome === 'answered' ? only.resolution : {};
  const value = answer?.values?.['response'];
  switch (kept.as) {
    case 'text':
      return answer?.text;
    case 'form': {
      const filled = withDefaults(schemaOf(only), value);
      return kept.wrapped && filled !== undefined ? (filled as { response?: unknown }).response : filled;
    }
    case 'confirm': {
      const [end] = endsOf(inquiries);
      return end?.type === 'approve' ? true : end?.type === 'reject' ? false : undefined;
    }
    case 'inbox': {
      const response = everyOf(inquiries, inboxOf)?.[0];
      return response === undefined ? undefined : [response];
    }
    case 'call':
      return everyOf(inquiries, (end, action) => decisionOf(end, action, kept.names))?.[0];
    case 'batch': {
      const decisions = everyOf(inquiries, (end, action) => decisionOf(end, action, kept.names));
      return decisions && { decisions };
    }
  }
}

function schemaOf({ questions }: Answered): unknown {
  const [question] = questions ?? [];
  return question?.type === 'form' ? question.schema : undefined;
}

/** The word for each end, or undefined where one has none: a batch is answered as a whole. */
function everyOf(inquiries: Answered[], word: (end: End, action: Action) => object | undefined): object[] | undefined {
  const actions = inquiries.flatMap((one) => one.actions ?? []);
  const words = endsOf(inquiries).map((end, at) => actions[at] && word(end, actions[at]));
  return words.every((one) => one !== undefined) ? words : undefined;
}

function decisionOf(end: End, { name, allowed }: Action, names: Names): object | undefined {
  switch (end.type) {
    case 'approve':
      return { type: 'approve' };
    case 'edit': {
      const edited = { name, args: argsOf(end) };
      return {
        type: 'edit',
        ...(names === 'python' ? {} : { editedAction: edited }),
        ...(names === 'js' ? {} : { edited_action: edited }),
      };
    }
    case 'reject':
      return { type: 'reject', ...(end.message === undefined ? {} : { message: end.message }) };
    case 'respond':
      return { type: 'respond', message: end.message };
    case 'declined':
    case 'nobody': {
      const no = (['reject', 'respond'] as const).find((type) => allowed.includes(type));
      return no && { type: no, message: end.text };
    }
  }
}

function inboxOf(end: End, { name, args, allowed }: Action): object | undefined {
  switch (end.type) {
    case 'approve':
      return { type: 'accept', args: { action: name, args } };
    case 'edit':
      return { type: 'edit', args: { action: name, args: argsOf(end) } };
    case 'reject':
      return { type: 'ignore', args: null };
    case 'respond':
      return { type: 'response', args: end.message };
    case 'declined':
    case 'nobody':
      if (allowed.includes('reject')) return { type: 'ignore', args: null };
      return allowed.includes('respond') ? { type: 'response', args: end.text } : undefined;
  }
}
