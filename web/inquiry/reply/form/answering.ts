import type { Question } from '#shared/inquiry.ts';
import { inexactNumber, jsonFault } from '../json.ts';
import { at, formWords, type PartOf, toRaw, toValues } from './values.ts';
import { fieldFaults, isSkipped } from './faults.ts';
import { nestedFaults, nestedNodes, nestedText } from './nested.ts';
import { readForm, isObject } from './schema.ts';

type Form = Extract<Question, { type: 'form' }>;
type FormFault = { field?: string; code: string; params: Record<string, unknown> };

/**
 * What stands in a form for a value of it. Defaults fill what a suggestion lacks, unless it may be sent as it is;
 * a `saved` value takes none.
 */
export function beginForm(question: Form, value: unknown, saved: boolean): Pick<PartOf<'form'>, 'raw' | 'json'> {
  const fields = readForm(question.schema) ?? [];
  const raw = toRaw(fields, value, true);
  const whole = isObject(value) && fields.every((field) => fieldFaults(field, at(raw, field.name)).length === 0);
  return { raw: saved || whole ? raw : toRaw(fields, value), json: toJson(value) };
}

/** The value of a form; undefined while there is none, or where it was skipped. */
export function formValue(question: Form, part: PartOf<'form'>, unfinished: boolean): unknown {
  const fields = readForm(question.schema);
  if (fields) {
    if (!unfinished && isSkipped(question, part, fields)) return undefined;
    const values = toValues(fields, part.raw, unfinished);
    if (unfinished || Object.keys(values).length > 0) return values;
    return fields.some((field) => fieldFaults(field, undefined).length > 0) ? undefined : values;
  }
  if (unfinished) return part.json;
  if (isLeftBlank(question, part)) return undefined;
  const text = nestedText(question.schema, part.json);
  return jsonFault(text) ? undefined : JSON.parse(text);
}

/** All that keeps a form from being sent. */
export function formFaults(question: Form, part: PartOf<'form'>): FormFault[] {
  const fields = readForm(question.schema);
  if (fields) {
    if (isSkipped(question, part, fields)) return [];
    return fields.flatMap((field) =>
      fieldFaults(field, at(part.raw, field.name)).map((fault) => ({ field: field.name, ...fault })),
    );
  }
  const fault = (code: string, params = {}): FormFault[] => [{ code, params }];
  if (isLeftBlank(question, part)) return question.required === false ? [] : fault('answer.missing');
  const text = nestedText(question.schema, part.json);
  const code = jsonFault(text);
  if (code) return fault(code);
  if (!isObject(JSON.parse(text))) return fault('json.object');
  const number = inexactNumber(text);
  return number === undefined ? nestedFaults(question.schema, text) : fault('json.inexact', { number });
}

// What its fields begin as is an answer only where there are fields, and one is wanted.
function isLeftBlank({ schema, required }: Form, { json }: PartOf<'form'>): boolean {
  return json.trim() === '' && (required === false || nestedNodes(schema, '') === undefined);
}

/** What stands in the fields of a flat form, as plain words; undefined for any other form. */
export function wordsOfForm(question: Form, part: PartOf<'form'>): string | undefined {
  const fields = readForm(question.schema);
  return fields && formWords(fields, part.raw);
}

// Words kept from an unfinished JSON text are a string; a finished one is its value.
function toJson(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}
