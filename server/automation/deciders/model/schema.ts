import { kindOf, ownChoices } from '#shared/fit.ts';
import type { Action, Asked, Question } from '#shared/inquiry.ts';

type Schema = Record<string, unknown>;

const TEXT = { type: 'string' };

/**
 * The JSON Schema of what a decider returns for an inquiry: an answer that fits, or why it cannot decide. Within what
 * OpenAI takes as strict, but for forms, whose schema is their asker's: then `strict` is false.
 */
export function answerSchema(asked: Asked): { schema: Schema; strict: boolean } {
  const schema = object({
    answer: orNull(toContentSchema(asked)),
    undecided: { ...orNull(TEXT), description: 'Why you cannot decide; then answer is null. Otherwise null.' },
  });
  return { schema, strict: !asked.questions?.some(({ type }) => type === 'form') };
}

function toContentSchema(asked: Asked): Schema {
  switch (kindOf(asked)) {
    case 'document':
      return object({ markdown: { ...TEXT, description: 'The whole document, changed or as it is.' } });
    case 'actions':
      return object({ decisions: toDecisionsSchema(asked.actions ?? []) });
    case 'questions':
      return toQuestionsSchema(asked.questions ?? []);
    default:
      return object({ text: TEXT });
  }
}

function toQuestionsSchema(questions: Question[]): Schema {
  const others = questions.filter((question) => 'allowOther' in question && question.allowOther);
  return object({
    values: object(Object.fromEntries(questions.map((question) => [question.id, toValueSchema(question)]))),
    ...(others.length > 0
      ? { other: object(Object.fromEntries(others.map(({ id }) => [id, { ...orNull(TEXT), description: OTHER }]))) }
      : {}),
  });
}

const OTHER = 'What else, where none of the options is right; otherwise null.';

function toValueSchema(question: Question): Schema {
  const value = requiredValue(question);
  const may = question.required === false || ('allowOther' in question && question.allowOther);
  return may ? orNull(value) : value;
}

function requiredValue(question: Question): Schema {
  switch (question.type) {
    case 'text':
      return TEXT;
    case 'choice':
      return { type: 'string', enum: question.options.map(({ value }) => value) };
    case 'multi':
      return { type: 'array', items: { type: 'string', enum: question.options.map(({ value }) => value) } };
    case 'form': {
      const text = JSON.stringify(question.schema);
      // A reference would point into our schema.
      return /"\$\w*(ref|anchor|id|schema)"/i.test(text)
        ? { type: 'object', description: `Fits this JSON Schema: ${text}` }
        : question.schema;
    }
  }
}

function toDecisionsSchema(actions: Action[]): Schema {
  const texts = new Set(actions.flatMap(toDecisionSchemas).map((variant) => JSON.stringify(variant)));
  const variants = [...texts].map((text) => JSON.parse(text) as Schema);
  return {
    type: 'array',
    description: 'One decision for each action, in their order.',
    minItems: actions.length,
    maxItems: actions.length,
    items: variants.length === 1 ? variants[0] : { anyOf: variants },
  };
}

/** A decider edits nothing: what it let run, nobody would have written. */
function toDecisionSchemas(action: Action): Schema[] {
  const choices = (type: 'approve' | 'reject'): Schema => {
    const ids = ownChoices(action, type).map(({ id }) => id);
    return ids.length === 0 ? {} : { optionId: { type: 'string', enum: ids } };
  };
  const may = (type: 'approve' | 'reject'): boolean =>
    action.allowed.includes(type) || ownChoices(action, type).length > 0;
  const message = { ...orNull(TEXT), description: 'Why, for the one who asked.' };
  return [
    ...(may('approve') ? [decision('approve', choices('approve'))] : []),
    ...(may('reject') ? [decision('reject', { message, ...choices('reject') })] : []),
    ...(action.allowed.includes('respond') ? [decision('respond', { message: TEXT })] : []),
  ];
}

function decision(type: string, members: Schema): Schema {
  return object({ type: { type: 'string', enum: [type] }, ...members });
}

function object(properties: Record<string, Schema>): Schema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function orNull(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'null' }] };
}
