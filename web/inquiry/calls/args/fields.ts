import type { Action } from '#shared/inquiry.ts';
import { fieldFaults } from '../../reply/form/faults.ts';
import type { FormField } from '../../reply/form/schema.ts';
import { at, isBlank, parseNumber, type Raw, toRaw, toValues, isSame } from '../../reply/form/values.ts';
import { type Exact, readExact, writeExact } from '../exact.ts';
import {
  fieldsIn,
  toFieldName,
  type Node,
  type Picked,
  readNodes,
  type Place,
  parsePlace,
  valueAt,
  withValue,
} from './nodes.ts';
import { NUMBER } from './schemas.ts';

type ArgsObject = Extract<Exact, { kind: 'object' }>;
type State = Raw[string] | undefined;

/**
 * The places to edit a call's arguments in: those of their schema, or of flat arguments that bring none; undefined where
 * only JSON can say it all. `strict` refuses a value that its field could not show.
 */
export function argsNodes(
  action: Pick<Action, 'argsSchema'>,
  argsText: string,
  { strict = true, picked }: { strict?: boolean; picked?: Picked | undefined } = {},
): Node[] | undefined {
  const args = readObject(argsText);
  if (!args || new Set(args.members.map(([name]) => name)).size < args.members.length) return undefined;
  const schema = readSchema(action);
  if (schema) return filled(readNodes(schema, args, strict, picked));
  const fields = args.members.map(guessField);
  if (!fields.every((field) => field !== undefined)) return undefined;
  return filled(fields.map((field) => ({ kind: 'field', field })));
}

/** The places as arguments that were changed have them; without a schema they stay those of the ones that came. */
export function nodesNow(
  action: Pick<Action, 'argsSchema'>,
  asked: string,
  argsText: string,
  picked?: Picked,
): Node[] | undefined {
  return readSchema(action) ? argsNodes(action, argsText, { strict: false, picked }) : argsNodes(action, asked);
}

/** The fields among those places, named by where they stand. */
export function argsFields(action: Pick<Action, 'argsSchema'>, argsText: string): FormField[] | undefined {
  const nodes = argsNodes(action, argsText);
  return nodes && fieldsIn(nodes);
}

/** What stands in each field for these arguments, numbers digit for digit. */
export function argsRaw(fields: FormField[], argsText: string): Raw {
  const args = readObject(argsText);
  if (!args) return {};
  const given = fields.flatMap(({ name, kind }) => {
    const value = valueAt(args, parsePlace(name));
    // An object of which nobody said yet which of several it is: nothing is chosen.
    return value && !(kind === 'choice' && value.kind === 'object') ? [{ name, value }] : [];
  });
  const plain = given.map(({ name, value }) => [name, JSON.parse(writeExact(value))]);
  const raw = toRaw(fields, Object.fromEntries(plain), true);
  const numbers = given.flatMap(({ name, value }) =>
    value.kind === 'other' && NUMBER.test(value.text) && typeof at(raw, name) === 'string' ? [[name, value.text]] : [],
  );
  return { ...raw, ...Object.fromEntries(numbers) };
}

/** The arguments with what now stands in the fields; what was not touched stays as it was written, and where it was `asked`. */
export function withFields(fields: FormField[], argsText: string, raw: Raw, asked = argsText): string {
  const args = readObject(argsText);
  const first = readObject(asked);
  if (!args) return argsText;
  const before = argsRaw(fields, argsText);
  const changed = fields.filter(({ name }) => !isSame(at(raw, name), at(before, name)));
  return writeExact(changed.reduce<Exact>((all, field) => withState(all, field, at(raw, field.name), first), args));
}

/** The arguments with this at a place, or without what stood there. */
export function withPlace(argsText: string, place: Place, value: Exact | undefined): string {
  const args = readObject(argsText);
  return args ? writeExact(withValue(args, place, value)) : argsText;
}

/** What keeps changed arguments from fitting the fields; the asker's own values pass as they are. */
export function argsFaults(action: Pick<Action, 'argsSchema'>, asked: string, argsText: string) {
  if (!argsNodes(action, asked) || !readObject(argsText)) return [];
  const fields = fieldsIn(nodesNow(action, asked, argsText) ?? []);
  const [first, raw] = [argsRaw(fields, asked), argsRaw(fields, argsText)];
  return fields.flatMap((field) => {
    const state = at(raw, field.name);
    if (state !== undefined && isSame(state, at(first, field.name))) return [];
    const place = parsePlace(field.name);
    const label = place.length > 1 ? place.join('.') : field.label;
    return fieldFaults(field, state).map((fault) => ({ field: label, ...fault }));
  });
}

function withState(args: Exact, field: FormField, state: State, asked: Exact | undefined): Exact {
  const place = parsePlace(field.name);
  const isEntry = place.length > 1 && valueAt(args, place.slice(0, -1))?.kind === 'array';
  // An entry left blank keeps its place, so that those after it keep theirs.
  return withValue(args, place, toExact(field, state) ?? (isEntry ? { kind: 'string', text: '' } : undefined), asked);
}

// One that says only "an object" says nothing.
function readSchema({ argsSchema }: Pick<Action, 'argsSchema'>): Record<string, unknown> | undefined {
  const { type: _object, ...said } = argsSchema ?? {};
  return Object.keys(said).length > 0 ? argsSchema : undefined;
}

// Each field reads all of the arguments anew: more of them would stop the page.
const FIELDS_MAX = 200;

function filled(nodes: Node[] | undefined): Node[] | undefined {
  return nodes && nodes.length > 0 && fieldsIn(nodes).length <= FIELDS_MAX ? nodes : undefined;
}

function toExact(field: FormField, state: State): Exact | undefined {
  if (field.kind === 'number' || field.kind === 'integer') {
    const text = String(state ?? '').trim();
    if (text === '') return undefined;
    const number = parseNumber(text);
    // Not a number yet: kept as its text, which the field refuses.
    if (number === undefined) return { kind: 'string', text };
    return { kind: 'other', text: NUMBER.test(text) ? text : String(number) };
  }
  if (isBlank(state) && field.kind === 'string' && !field.format && !field.minLength && !field.pattern)
    return { kind: 'string', text: '' };
  const value = toValues([field], { [field.name]: state ?? '' }, false)[field.name];
  return value === undefined ? undefined : readExact(JSON.stringify(value));
}

// A field for an argument whose schema nobody told.
function guessField([name, value]: [string, Exact]): FormField | undefined {
  const shared = { name: toFieldName([name]), label: name, required: true };
  if (value.kind === 'string') return { ...shared, required: value.text !== '', kind: 'string' };
  if (value.kind !== 'other' || value.text === 'null') return undefined;
  return { ...shared, kind: NUMBER.test(value.text) ? 'number' : 'boolean' };
}

function readObject(argsText: string): ArgsObject | undefined {
  const args = readExact(argsText);
  return args?.kind === 'object' ? args : undefined;
}

/** True when two JSON texts say the same, digit for digit; spaces do not count. */
export function isSameJson(one: string, other: string): boolean {
  const [a, b] = [readExact(one), readExact(other)];
  return a !== undefined && b !== undefined && writeExact(a) === writeExact(b);
}
