import type { AnswerContent, Decision } from './answer.ts';
import { fault, pointer } from './faults.ts';
import type { Action, ActionOption, Asked, Question } from './inquiry.ts';
import type { Fault } from './problem.ts';

/**
 * Faults of a value against a JSON Schema, with pointers into the value; without a value, of the schema itself. The hub
 * passes one in; a page may do without.
 */
export type SchemaFaults = (schema: Record<string, unknown>, value?: unknown) => Fault[];

export type Kind = 'questions' | 'document' | 'actions' | 'link' | 'text';

/** Which of the forms of an ask this is. */
export function kindOf(asked: Asked): Kind {
  if (asked.questions) return 'questions';
  if (asked.document) return 'document';
  if (asked.actions) return 'actions';
  return asked.link ? 'link' : 'text';
}

/**
 * All that keeps an answer from fitting its inquiry (RES3); empty when it fits. `partial` lets
 * missing parts pass (a prefill, a late remark), never wrong ones.
 */
export function answerFaults(
  asked: Asked,
  content: AnswerContent,
  { partial = false, schemaFaults = () => [] }: { partial?: boolean; schemaFaults?: SchemaFaults | undefined } = {},
): Fault[] {
  const how = { partial, schemaFaults };
  const kind = kindOf(asked);
  const faults = unexpected(kind, content);
  switch (kind) {
    case 'text':
      return [...faults, ...blank(content.text, '/text', partial)];
    case 'document':
      return [...faults, ...missing(content.markdown, '/markdown', partial)];
    case 'link':
      return faults;
    case 'questions':
      return [...faults, ...valueFaults(asked.questions ?? [], content, how)];
    case 'actions':
      return [...faults, ...decisionsFaults(asked.actions ?? [], content.decisions, how)];
  }
}

/** The answer that the shorthand `{response}` stands for, or the fault that says why there is none. */
export function expandResponse(asked: Asked, response: string): AnswerContent | Fault {
  const kind = kindOf(asked);
  if (kind === 'text') return { text: response };
  if (kind === 'document') return { markdown: response };
  const only = asked.questions?.length === 1 ? asked.questions[0] : undefined;
  if (only?.type === 'text') return { values: { [only.id]: response } };
  if (only?.type === 'choice') {
    const option =
      only.options.find(({ value }) => value === response) ?? only.options.find(({ label }) => label === response);
    if (option) return { values: { [only.id]: option.value } };
    if (only.allowOther) return { other: { [only.id]: response } };
    return notAnOption('/response', only.options);
  }
  const message = 'cannot answer this inquiry: it asks for more than one text or choice';
  return fault('/response', 'answer.not_one_text', message);
}

const MEMBERS = {
  text: ['text'],
  document: ['markdown'],
  link: ['text'],
  questions: ['values', 'other'],
  actions: ['decisions'],
} as const satisfies Record<Kind, (keyof AnswerContent)[]>;

function unexpected(kind: Kind, content: AnswerContent): Fault[] {
  const expected: readonly string[] = MEMBERS[kind];
  return (['text', 'values', 'other', 'decisions', 'markdown'] as const)
    .filter((member) => content[member] !== undefined && !expected.includes(member))
    .map((member) => {
      const message = `does not belong to this inquiry, which takes ${expected.join(' and ')}`;
      return fault(`/${member}`, 'answer.unexpected', message);
    });
}

function blank(text: string | undefined, path: string, partial: boolean): Fault[] {
  if (text === undefined) return missing(text, path, partial);
  return text.trim() === '' && !partial ? [fault(path, 'answer.empty', 'is empty')] : [];
}

function missing(value: unknown, path: string, partial: boolean): Fault[] {
  return value === undefined && !partial ? [fault(path, 'answer.missing', 'is missing')] : [];
}

type How = { partial: boolean; schemaFaults: SchemaFaults };

function valueFaults(questions: Question[], content: AnswerContent, how: How): Fault[] {
  const ids = new Set(questions.map(({ id }) => id));
  const unknown = (['values', 'other'] as const).flatMap((member) =>
    Object.keys(content[member] ?? {})
      .filter((id) => !ids.has(id))
      .map((id) => fault(pointer([member, id]), 'answer.unknown_question', 'answers a question that was not asked')),
  );
  return [...unknown, ...questions.flatMap((question) => questionFaults(question, content, how))];
}

function questionFaults(question: Question, content: AnswerContent, { partial, schemaFaults }: How): Fault[] {
  const path = pointer(['values', question.id]);
  const otherPath = pointer(['other', question.id]);
  const value = own(content.values, question.id);
  const other = own(content.other, question.id);
  const optional = partial || question.required === false;
  if (other !== undefined && !('allowOther' in question && question.allowOther)) {
    const message = 'is not possible: this question takes only its options';
    return [fault(otherPath, 'answer.other_not_allowed', message)];
  }
  if (typeof other === 'string' && other.trim() === '') return [fault(otherPath, 'answer.empty', 'is empty')];
  if (value === undefined && other === undefined) return missing(value, path, optional);
  switch (question.type) {
    case 'text':
      if (typeof value !== 'string') return [wrongType(path, 'a text')];
      return blank(value, path, optional);
    case 'choice':
      if (value !== undefined && other !== undefined)
        return [fault(path, 'answer.too_many', 'and something else cannot both be chosen')];
      return value === undefined ? [] : optionFault(question.options, value, path);
    case 'multi':
      return multiFaults(question, value, other, path, partial);
    case 'form':
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return [wrongType(path, 'an object')];
      return partial ? [] : schemaFaults(question.schema, value).map((one) => ({ ...one, path: path + one.path }));
  }
}

function optionFault(options: { value: string }[], value: unknown, path: string): Fault[] {
  return options.some((option) => option.value === value) ? [] : [notAnOption(path, options)];
}

function notAnOption(path: string, options: { value: string }[]): Fault {
  const allowed = options.map(({ value }) => value);
  return fault(path, 'answer.not_an_option', 'is none of the options', { allowed });
}

function multiFaults(
  question: Extract<Question, { type: 'multi' }>,
  value: unknown,
  other: unknown,
  path: string,
  partial: boolean,
): Fault[] {
  if (value !== undefined && !Array.isArray(value)) return [wrongType(path, 'a list')];
  const chosen: unknown[] = value ?? [];
  const faults = chosen.flatMap((one, at) => optionFault(question.options, one, `${path}/${at}`));
  if (new Set(chosen).size < chosen.length) faults.push(fault(path, 'answer.twice', 'names an option twice'));
  const count = chosen.length + (other === undefined ? 0 : 1);
  const min = question.min ?? (question.required === false ? 0 : 1);
  if (count < min && !partial) faults.push(fault(path, 'answer.too_few', `needs at least ${min}`, { minimum: min }));
  const maximum = question.max ?? Infinity;
  if (count > maximum) faults.push(fault(path, 'answer.too_many', `takes at most ${maximum}`, { maximum }));
  return faults;
}

function decisionsFaults(
  actions: Action[],
  decisions: Decision[] | undefined,
  { partial, schemaFaults }: How,
): Fault[] {
  if (decisions === undefined) return missing(decisions, '/decisions', partial);
  if (decisions.length !== actions.length && !(partial && decisions.length < actions.length)) {
    const message = `needs one decision for each of the ${actions.length} actions, in their order`;
    return [fault('/decisions', 'answer.count', message, { expected: actions.length })];
  }
  return decisions.flatMap((decision, at) => {
    const action = actions[at];
    return action ? decisionFaults(action, decision, `/decisions/${at}`, schemaFaults) : [];
  });
}

/** The sender's own choices of a type, which stand in the place of the plain one. */
export function ownChoices({ options = [] }: Pick<Action, 'options'>, type: Decision['type']): ActionOption[] {
  return options.filter((option) => option.type === type);
}

function decisionFaults(action: Action, decision: Decision, path: string, schemaFaults: SchemaFaults): Fault[] {
  const fitting = ownChoices(action, decision.type).map(({ id }) => id);
  if (fitting.length > 0 && (decision.type === 'approve' || decision.type === 'reject')) {
    if (decision.optionId !== undefined && fitting.includes(decision.optionId)) return [];
    const message = `must name one of the sender's own choices to ${decision.type}`;
    return [fault(`${path}/optionId`, 'answer.not_an_option', message, { allowed: fitting })];
  }
  if (!action.allowed.includes(decision.type)) {
    const message = `"${decision.type}" is not allowed for this action`;
    return [fault(`${path}/type`, 'answer.not_allowed', message, { allowed: action.allowed })];
  }
  switch (decision.type) {
    case 'approve':
    case 'reject':
      return decision.optionId === undefined
        ? []
        : [fault(`${path}/optionId`, 'answer.unexpected', 'names a choice the sender did not offer')];
    case 'respond':
      return blank(decision.message, `${path}/message`, false);
    case 'edit':
      return editFaults(action, decision, path, schemaFaults);
  }
}

function editFaults(
  action: Action,
  decision: Extract<Decision, { type: 'edit' }>,
  path: string,
  schemaFaults: SchemaFaults,
): Fault[] {
  if ((decision.args === undefined) === (decision.argsText === undefined)) {
    const message = 'is missing: send the edited arguments as args, or as argsText';
    return [fault(`${path}/args`, 'answer.missing', message)];
  }
  const args = decision.args ?? parsed(decision.argsText ?? '');
  if (args === undefined) return [fault(`${path}/argsText`, 'answer.type', 'is not JSON')];
  return action.argsSchema
    ? schemaFaults(action.argsSchema, args).map((one) => ({ ...one, path: `${path}/args${one.path}` }))
    : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function wrongType(path: string, expected: string): Fault {
  return fault(path, 'answer.type', `must be ${expected}`, { expected });
}

function own<T>(record: Record<string, T> | undefined, member: string): T | undefined {
  return record && Object.hasOwn(record, member) ? record[member] : undefined;
}
