import type { FormField } from '../../reply/form/schema.ts';
import { type Exact, writeExact } from '../exact.ts';

/** A number as JSON writes it. */
export const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** Whether the field can show the value; one that it would leave out could be lost unseen. */
export function holds(field: FormField | undefined, value: Exact): boolean {
  if (!field) return false;
  if (value.kind === 'object' || (value.kind === 'array') !== (field.kind === 'multi')) return false;
  if (field.kind === 'string') return value.kind === 'string';
  if (field.kind === 'number' || field.kind === 'integer') return value.kind === 'other' && NUMBER.test(value.text);
  if (field.kind === 'boolean') return value.kind === 'other' && value.text !== 'null' && !NUMBER.test(value.text);
  const given: unknown = JSON.parse(writeExact(value));
  return 'options' in field && [given].flat().every((one) => field.options.some((option) => option.value === one));
}
