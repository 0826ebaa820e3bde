import type { Action, Inquiry } from '#shared/inquiry.ts';
import { fieldFaults } from '../../reply/form/faults.ts';
import { formOf, type FormField } from '../../reply/form/schema.ts';
import { at, isBlank, numberOf, rawOf, type Raw, valuesOf } from '../../reply/form/values.ts';
import { argsTextOf, type Reply } from '../../reply/state.ts';
import { type Exact, readExact, writeExact } from '../exact.ts';

type ArgsObject = Extract<Exact, { kind: 'object' }>;
type State = Raw[string] | undefined;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** The fields to edit a call's arguments in: those of their schema, or of flat arguments that bring none; undefined where only JSON can say it all. */
export function argsFields(action: Pick<Action, 'argsSchema'>, argsText: string): FormField[] | undefined {
  const args = objectOf(argsText);
  if (!args || new Set(args.members.map(([name]) => name)).size < args.members.length) return undefined;
  const { type: _object, ...said } = action.argsSchema ?? {};
  const fields =
    action.argsSchema && Object.keys(said).length > 0 ? formOf(action.argsSchema) : args.members.map(fieldOf);
  if (!fields || fields.length === 0 || !fields.every((field) => field !== undefined)) return undefined;
  return args.members.every(([name, value]) =>
    holds(
      fields.find((field) => field.name === name),
      value,
    ),
  )
    ? fields
    : undefined;
}

/** What stands in each field for these arguments, numbers digit for digit. */
export function argsRaw(fields: FormField[], argsText: string): Raw {
  const args = objectOf(argsText);
  if (!args) return {};
  const raw = rawOf(fields, JSON.parse(argsText), true);
  const numbers = args.members.flatMap(([name, value]) =>
    value.kind === 'other' && NUMBER.test(value.text) && typeof at(raw, name) === 'string' ? [[name, value.text]] : [],
  );
  return { ...raw, ...Object.fromEntries(numbers) };
}

/** The arguments with what now stands in the fields; what was not touched stays as it was written. */
export function withFields(fields: FormField[], argsText: string, raw: Raw): string {
  const args = objectOf(argsText);
  if (!args) return argsText;
  const before = argsRaw(fields, argsText);
  const changed = fields.filter(({ name }) => !isSame(at(raw, name), at(before, name)));
  return writeExact(changed.reduce((all, field) => withMember(all, field, at(raw, field.name)), args));
}

/** What keeps changed arguments from fitting the fields; the asker's own values pass as they are. */
export function argsFaults(action: Pick<Action, 'argsSchema'>, asked: string, argsText: string) {
  const fields = argsFields(action, asked);
  if (!fields || !objectOf(argsText)) return [];
  const [first, raw] = [argsRaw(fields, asked), argsRaw(fields, argsText)];
  return fields.flatMap((field) => {
    const state = at(raw, field.name);
    if (state !== undefined && isSame(state, at(first, field.name))) return [];
    return fieldFaults(field, state).map((fault) => ({ field: field.label, ...fault }));
  });
}

/** True while one of the calls has changed arguments that its fields refuse. */
export function misfits(inquiry: Inquiry, reply: Reply): boolean {
  return (inquiry.actions ?? []).some((action, place) => {
    const call = reply.calls[place];
    return call?.type === 'edit' && argsFaults(action, argsTextOf(inquiry, place), call.argsText).length > 0;
  });
}

function withMember(args: ArgsObject, field: FormField, state: State): ArgsObject {
  const value = exactOf(field, state);
  const place = args.members.findIndex(([name]) => name === field.name);
  if (value === undefined) return { ...args, members: args.members.filter(([name]) => name !== field.name) };
  if (place < 0) return { ...args, members: [...args.members, [field.name, value]] };
  return { ...args, members: args.members.with(place, [field.name, value]) };
}

function exactOf(field: FormField, state: State): Exact | undefined {
  if (field.kind === 'number' || field.kind === 'integer') {
    const text = String(state ?? '').trim();
    if (text === '') return undefined;
    const number = numberOf(text);
    // Not a number yet: kept as its text, which the field refuses.
    if (number === undefined) return { kind: 'string', text };
    return { kind: 'other', text: NUMBER.test(text) ? text : String(number) };
  }
  if (isBlank(state) && field.kind === 'string' && !field.format && !field.minLength && !field.pattern)
    return { kind: 'string', text: '' };
  const value = valuesOf([field], { [field.name]: state ?? '' }, false)[field.name];
  return value === undefined ? undefined : readExact(JSON.stringify(value));
}

// A field for an argument whose schema nobody told.
function fieldOf([name, value]: [string, Exact]): FormField | undefined {
  const shared = { name, label: name, required: true };
  if (value.kind === 'string') return { ...shared, required: value.text !== '', kind: 'string' };
  if (value.kind !== 'other' || value.text === 'null') return undefined;
  return { ...shared, kind: NUMBER.test(value.text) ? 'number' : 'boolean' };
}

// Whether the field can show the value; one that it would leave out could be lost unseen.
function holds(field: FormField | undefined, value: Exact): boolean {
  if (!field) return false;
  if (value.kind === 'object' || (value.kind === 'array') !== (field.kind === 'multi')) return false;
  if (field.kind === 'string') return value.kind === 'string';
  if (field.kind === 'number' || field.kind === 'integer') return value.kind === 'other' && NUMBER.test(value.text);
  if (field.kind === 'boolean') return value.kind === 'other' && value.text !== 'null' && !NUMBER.test(value.text);
  const given: unknown = JSON.parse(writeExact(value));
  return 'options' in field && [given].flat().every((one) => field.options.some((option) => option.value === one));
}

function objectOf(argsText: string): ArgsObject | undefined {
  const args = readExact(argsText);
  return args?.kind === 'object' ? args : undefined;
}

function isSame(one: State, other: State): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
