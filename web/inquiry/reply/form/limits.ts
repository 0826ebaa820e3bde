import type { Words } from '../../words/en.ts';
import type { FormField, Limits } from './schema.ts';
import { formTexts } from './words.ts';

/** All limits of a field in whole sentences, said before anything is sent. */
export function limitOf(field: FormField, words: Words): string {
  switch (field.kind) {
    case 'number':
    case 'integer':
      return numberLimits(field).join(' ');
    case 'multi':
      return words.pickBetween(field.minItems ?? 0, field.maxItems);
    case 'string':
      return stringLimits(field).join(' ');
    default:
      return '';
  }
}

function numberLimits(field: Limits & { kind: 'number' | 'integer' }): string[] {
  const form = formTexts();
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = field;
  const range = minimum !== undefined || maximum !== undefined;
  return [
    ...(range ? [form.range(minimum, maximum)] : []),
    ...(exclusiveMinimum === undefined ? [] : [form.above(exclusiveMinimum)]),
    ...(exclusiveMaximum === undefined ? [] : [form.below(exclusiveMaximum)]),
    ...(field.kind === 'integer' && !(range && multipleOf) && !isCounted(field) ? [form.whole] : []),
    ...(multipleOf === undefined || multipleOf === 1 ? [] : [form.step(multipleOf)]),
  ];
}

function stringLimits(field: Extract<FormField, { kind: 'string' }>): string[] {
  const form = formTexts();
  return [
    ...(field.format === 'email' ? [form.email] : []),
    ...(field.format === 'uri' ? [form.uri] : []),
    ...(field.format === 'date-time' ? [form.zone(Intl.DateTimeFormat().resolvedOptions().timeZone)] : []),
    ...(field.written ? [form.written(field.written)] : []),
    ...(field.minLength || field.maxLength !== undefined ? [form.length(field.minLength, field.maxLength)] : []),
    ...(field.pattern ? [form.pattern(field.pattern)] : []),
  ];
}

/** True for a whole number that is counted up and down in few steps. */
export function isCounted(field: Limits & { kind: 'number' | 'integer' }): boolean {
  const { minimum, maximum, multipleOf = 1 } = field;
  return (
    field.kind === 'integer' && minimum !== undefined && maximum !== undefined && maximum - minimum <= 20 * multipleOf
  );
}

/** The stops of a slider: whole ones, those of the schema, or about a hundred round ones; undefined where no slider fits. */
export function sliderOf(field: Limits & { kind: 'number' | 'integer' }) {
  const { minimum, maximum, multipleOf, kind } = field;
  if (minimum === undefined || maximum === undefined || !(maximum > minimum)) return undefined;
  if (field.exclusiveMaximum !== undefined || field.exclusiveMinimum !== undefined) return undefined;
  const hundredth = 10 ** Math.floor(Math.log10((maximum - minimum) / 50));
  const step = multipleOf ?? (kind === 'integer' ? Math.max(1, hundredth) : hundredth);
  const min = multipleOf ? Math.ceil(minimum / multipleOf) * multipleOf : minimum;
  return { min, max: maximum, step };
}
