import type { Question } from '#shared/inquiry.ts';
import { asciiUri, at, isBlank, isDay, isMoment, isUri, parseNumber, type PartOf, type Raw } from './values.ts';
import type { FormField, Limits } from './schema.ts';

/** True for a form that may be left blank and was: nothing stands in it, or only defaults that do not make it whole. */
export function isSkipped(question: Question, part: PartOf<'form'>, fields: FormField[]): boolean {
  if (question.required !== false) return false;
  if (Object.values(part.raw).every(isBlank)) return true;
  return !part.own && fields.some((field) => fieldFaults(field, at(part.raw, field.name)).length > 0);
}

export type FieldFault = { code: string; params: Record<string, unknown> };
const fault = (code: string, params: Record<string, unknown> = {}): FieldFault[] => [{ code, params }];

/** All that is wrong with what stands in one field of a form. */
export function fieldFaults(field: FormField, raw: Raw[string] | undefined): FieldFault[] {
  if (raw === undefined || isBlank(raw)) {
    const isAnswer = field.nullable || (field.kind === 'multi' && !field.minItems);
    return field.required && !isAnswer ? fault('answer.missing') : [];
  }
  switch (field.kind) {
    case 'number':
    case 'integer':
      return numberFaults(field, String(raw));
    case 'string':
      return stringFaults(field, String(raw));
    case 'multi': {
      const count = Array.isArray(raw) ? raw.length : 0;
      if (count < (field.minItems ?? 0)) return fault('answer.too_few', { minimum: field.minItems });
      return count > (field.maxItems ?? Infinity) ? fault('answer.too_many', { maximum: field.maxItems }) : [];
    }
    default:
      return [];
  }
}

function numberFaults(field: Limits & { kind: 'number' | 'integer' }, text: string): FieldFault[] {
  const number = parseNumber(text);
  if (number === undefined) return fault('field.number');
  if (field.kind === 'integer' && !Number.isInteger(number)) return fault('field.integer');
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) return fault('json.inexact', { number: text });
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = field;
  if (minimum !== undefined && number < minimum) return fault('field.minimum', { minimum });
  if (maximum !== undefined && number > maximum) return fault('field.maximum', { maximum });
  if (exclusiveMinimum !== undefined && number <= exclusiveMinimum) return fault('field.above', { exclusiveMinimum });
  if (exclusiveMaximum !== undefined && number >= exclusiveMaximum) return fault('field.below', { exclusiveMaximum });
  // As the hub's validator divides, rounding included.
  return multipleOf !== undefined && !Number.isInteger(number / multipleOf) ? fault('field.step', { multipleOf }) : [];
}

/** What is longer is left to the hub, which checks with a limit: expressions take steps by the square of the length, or worse. */
const LONGEST = 1000;
const MOST_STEPS = 1e7;

// The address as the hub's validator reads it (ajv-formats).
const EMAIL =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;
const FORMAT_FAULTS = {
  email: (text: string) => (text.length > LONGEST || EMAIL.test(text) ? [] : fault('field.email')),
  uri: (text: string) => (isUri(asciiUri(text)) ? [] : fault('field.uri')),
  date: (text: string) => (isDay(text) ? [] : fault('field.date')),
  'date-time': (text: string) => (isMoment(text) ? [] : fault('field.date')),
};

function stringFaults(field: Extract<FormField, { kind: 'string' }>, text: string): FieldFault[] {
  const length = [...text].length;
  if (field.minLength !== undefined && length < field.minLength)
    return fault('field.too_short', { minimum: field.minLength });
  if (field.maxLength !== undefined && length > field.maxLength)
    return fault('field.too_long', { maximum: field.maxLength });
  if (field.pattern !== undefined && !fits(field.pattern, text))
    return fault('field.pattern', { pattern: field.pattern });
  return field.format ? FORMAT_FAULTS[field.format](text) : [];
}

// A pattern that the browser does not know, or that could freeze the page, is left to the hub.
function fits(pattern: string, text: string): boolean {
  try {
    return couldTakeLong(pattern, text) || new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

// Each repetition and each alternative may multiply the steps by the text's length; a repeated group may double them with each character.
function couldTakeLong(pattern: string, text: string): boolean {
  if (pattern.length > LONGEST) return true;
  const bare = pattern.replace(/\\[^1-9k]|\[(?:\\.|[^\]\\])*\]/gsu, 'x').replaceAll('(?', '(');
  if (/\)[*+?{]|\\/.test(bare)) return true;
  const choices = bare.match(/[*+?|]|\{\d+,/g)?.length ?? 0;
  return (text.length + 2) ** (choices + 1) > MOST_STEPS;
}
