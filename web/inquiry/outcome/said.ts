import type { AnswerContent, Decision } from '#shared/answer.ts';
import type { Action, Inquiry, Question } from '#shared/inquiry.ts';
import { lookOf } from '#shared/call-name/labels.ts';
import { answerText, findOption, questionNames } from '#shared/text.ts';
import type { Language } from '../../ui/language.ts';
import { leaves } from '../calls/changes.ts';
import { countDecisions } from './verbs.ts';

/** What is read of a form's JSON Schema. */
type Schema = {
  title?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  oneOf?: unknown;
  anyOf?: unknown;
};

/**
 * What a person said, for people: how calls were decided with the words about them, the answer to each of several questions
 * on a line, each field of a form.
 */
export function answerLines(inquiry: Inquiry, answer: AnswerContent, language: Language): string {
  const { questions = [], actions } = inquiry;
  if (actions) {
    const { decisions = [] } = answer;
    return [countDecisions(decisions), ...decisionWords(actions, decisions)].join('\n');
  }
  if (questions.length === 0) return answerText(inquiry, answer, language);
  const colon = language === 'zh' ? '：' : ': ';
  const said = questions.map((question) => valueOf(question));
  if (said.length === 1) return said[0] ?? '';
  return questionNames(questions)
    .map((name, at) => {
      const line = said[at] ?? '';
      if (line.includes('\n')) return `${name}\n${line}`;
      return /[?？:：]$/.test(name) ? `${name} ${line}` : `${name}${colon}${line}`;
    })
    .join('\n');

  function valueOf(question: Question): string {
    const value = answer.values?.[question.id];
    if (question.type !== 'form' || value === undefined)
      return answerText({ ...inquiry, questions: [question] }, answer, language);
    return [...leaves(JSON.stringify(value), (path) => titleAt(question.schema, path))]
      .map(([name, text]) => `${name}${colon}${text}`)
      .join('\n');
  }
}

/** What the fields on the way to a value are called: "Lines 1, Item". */
function titleAt(schema: Schema | undefined, path: string[]): string {
  const titles: string[] = [];
  let at = schema;
  for (const step of path) {
    const shapes = [at, ...listed(at?.oneOf), ...listed(at?.anyOf)];
    const items = shapes.find((shape) => shape?.items)?.items;
    if (items) titles.push(`${titles.pop() ?? ''} ${step}`.trim());
    at = items ?? shapes.map((shape) => lookUp(shape?.properties, step)).find((member) => member !== undefined);
    if (!items) titles.push(typeof at?.title === 'string' && at.title !== '' ? at.title : step);
  }
  return titles.join(', ');
}

// An agent wrote it: any member may be of any type.
function listed(shapes: unknown): Schema[] {
  return Array.isArray(shapes) ? shapes : [];
}

function lookUp(properties: Record<string, Schema> | undefined, name: string): Schema | undefined {
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** The words with a decision: the option that was chosen, unless it is called as its verb, and what was written. */
export function wordsWith(action: Action, decision: Decision): string[] {
  const { optionId, message } = { optionId: undefined, message: undefined, ...decision };
  const chosen = optionId === undefined ? '' : findOption(action, optionId);
  return [lookOf(chosen) === decision.type ? '' : chosen, message].filter(
    (said): said is string => said !== undefined && said !== '',
  );
}

/** The same of several calls, in their order. */
export function decisionWords(actions: readonly Action[], decisions: readonly Decision[]): string[] {
  return decisions.flatMap((decision, at) => (actions[at] ? wordsWith(actions[at], decision) : []));
}
