import {
  readField,
  type FormField,
  isObject,
  readItemOptions,
  membersFit,
  toText,
  withoutNull,
} from '../../reply/form/schema.ts';
import { type Exact, readExact, writeExact } from '../exact.ts';

type Schema = Record<string, unknown>;
type Shared = { at: Place; label: string };
/** Arguments as a person edits them: fields, and what holds further ones, in the order of their schema. */
export type Node =
  | { kind: 'field'; field: FormField }
  | (Shared & { kind: 'object'; nodes: Node[]; removable: boolean })
  /** `more` is what a further entry begins as, where there may be one. */
  | (Shared & { kind: 'list'; nodes: Node[]; fewer: boolean; more: Exact | undefined })
  /** May be there and is not; `blank` is what it begins as. */
  | (Shared & { kind: 'absent'; blank: Exact });

type Rules = { root: Schema; strict: boolean };
const DEEPEST = 8;
const MOST_BLANKS = 20;

/**
 * The places where arguments of this schema are edited; undefined where only JSON can say it all. `strict` refuses a
 * value that its field could not show.
 */
export function readNodes(root: Schema, args: Exact, strict: boolean): Node[] | undefined {
  if (root['type'] !== 'object') return undefined;
  return readMembers([], root, args, { root, strict });
}

/** All fields of these places, those of what they hold included. */
export function fieldsIn(nodes: readonly Node[]): FormField[] {
  return nodes.flatMap((node) =>
    node.kind === 'field' ? [node.field] : node.kind === 'absent' ? [] : fieldsIn(node.nodes),
  );
}

function readMembers(at: Place, schema: Schema, value: Exact, rules: Rules): Node[] | undefined {
  if (value.kind !== 'object' || !membersFit(schema) || at.length > DEEPEST) return undefined;
  const properties = Object.entries(schema['properties'] as Schema);
  const given = new Map(value.members);
  const known = new Set(properties.map(([name]) => name));
  // A twin, or a member that nobody described, could be lost unseen.
  if (given.size < value.members.length || [...given.keys()].some((name) => !known.has(name))) return undefined;
  const nodes = properties.map(([name, property]) =>
    readNode([...at, name], property, requires(schema, name), given.get(name), rules),
  );
  return nodes.every((node) => node !== undefined) ? nodes : undefined;
}

function readNode(at: Place, given: unknown, required: boolean, value: Exact | undefined, rules: Rules) {
  const schema = readable(given, rules.root);
  if (!schema) return undefined;
  const name = at.at(-1) ?? '';
  const shared = { at, label: typeof schema['title'] === 'string' ? schema['title'] : name };
  const holdsMore = isNested(schema);
  if (holdsMore && value === undefined)
    return { ...shared, kind: 'absent', blank: makeBlank(schema, rules.root) } as const;
  if (holdsMore && value) return readNested(shared, schema, !required, value, rules);
  const field = readField(name, schema, required);
  if (!field || (rules.strict && value !== undefined && !holds(field, value))) return undefined;
  return { kind: 'field', field: { ...field, name: toFieldName(at) } } as const;
}

function readNested(shared: Shared, schema: Schema, removable: boolean, value: Exact, rules: Rules): Node | undefined {
  const { at } = shared;
  if (schema['type'] === 'object') {
    const nodes = readMembers(at, schema, value, rules);
    return nodes && { ...shared, kind: 'object', nodes, removable };
  }
  const items = readable(schema['items'], rules.root);
  if (!items || value.kind !== 'array' || at.length > DEEPEST) return undefined;
  const nodes = value.items.map((item, place) => readEntry([...at, String(place)], items, item, rules));
  if (!nodes.every((node) => node !== undefined)) return undefined;
  const { minItems = 0, maxItems = Infinity } = schema as { minItems?: number; maxItems?: number };
  const count = value.items.length;
  const more = count < maxItems ? makeBlank(items, rules.root) : undefined;
  return { ...shared, kind: 'list', nodes, fewer: count > minItems, more };
}

// An entry of a list is named by its number.
function readEntry(at: Place, items: Schema, value: Exact, rules: Rules): Node | undefined {
  const label = String(Number(at.at(-1)) + 1);
  const node = readNode(at, items, true, value, rules);
  if (node?.kind === 'field') return { kind: 'field', field: { ...node.field, label } };
  return node && { ...node, label };
}

// Several frameworks keep what they describe once under "$defs" and say "or null" for what may be left out.
function readable(given: unknown, root: Schema, hops = 0): Schema | undefined {
  if (!isObject(given) || hops > DEEPEST) return undefined;
  const { schema, nullable } = withoutNull(given);
  const { $ref: reference, ...rest } = schema;
  if (reference === undefined) return nullable && !isNested(schema) ? given : schema;
  const [, shelf = '', name = ''] = /^#\/(\$defs|definitions)\/([^/~%]+)$/.exec(toText(reference)) ?? [];
  const shelves = root[shelf];
  const found = isObject(shelves) && Object.hasOwn(shelves, name) ? readable(shelves[name], root, hops + 1) : undefined;
  if (!found || (nullable && !isNested(found))) return undefined;
  return { ...found, ...rest };
}

function isNested(schema: Schema): boolean {
  if (schema['type'] === 'object') return isObject(schema['properties']);
  return schema['type'] === 'array' && isObject(schema['items']) && readItemOptions(schema) === undefined;
}

/** What a value of this schema begins as: what it requires, as many entries as it wants at least, and what its fields have by default. */
export function makeBlank(schema: Schema, root: Schema, depth = 0): Exact {
  if (schema['type'] === 'array') {
    const items = depth < DEEPEST ? readable(schema['items'], root) : undefined;
    const least = items ? Math.min(Number(schema['minItems'] ?? 0), MOST_BLANKS) : 0;
    return { kind: 'array', items: Array.from({ length: least }, () => makeBlank(items ?? {}, root, depth + 1)) };
  }
  if (schema['type'] !== 'object') return { kind: 'string', text: '' };
  const members = Object.entries(isObject(schema['properties']) ? schema['properties'] : {}).flatMap(
    ([name, property]): [string, Exact][] => {
      const inner = depth < DEEPEST ? readable(property, root) : undefined;
      if (!inner) return [];
      if (isNested(inner)) return requires(schema, name) ? [[name, makeBlank(inner, root, depth + 1)]] : [];
      const initial = readExact(JSON.stringify(inner['default'] ?? null));
      return initial && holds(readField(name, inner, true), initial) ? [[name, initial]] : [];
    },
  );
  return { kind: 'object', members };
}

function requires({ required }: Schema, name: string): boolean {
  return Array.isArray(required) && required.includes(name);
}

/** A number as JSON writes it. */
export const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** Whether the field can show the value; one that it would leave out could be lost unseen. */
function holds(field: FormField | undefined, value: Exact): boolean {
  if (!field) return false;
  if (value.kind === 'object' || (value.kind === 'array') !== (field.kind === 'multi')) return false;
  if (field.kind === 'string') return value.kind === 'string';
  if (field.kind === 'number' || field.kind === 'integer') return value.kind === 'other' && NUMBER.test(value.text);
  if (field.kind === 'boolean') return value.kind === 'other' && value.text !== 'null' && !NUMBER.test(value.text);
  const given: unknown = JSON.parse(writeExact(value));
  return 'options' in field && [given].flat().every((one) => field.options.some((option) => option.value === one));
}

type Members = Extract<Exact, { kind: 'object' }>['members'];
/** Where something stands in arguments: the names of members and the places of entries that lead to it. */
export type Place = readonly string[];

/** A place as the name of its field: a JSON pointer without its first slash. */
export function toFieldName(at: Place): string {
  return at.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
}

/** The place that a field is named after. */
export function parsePlace(name: string): Place {
  return name.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What stands at a place. */
export function valueAt(args: Exact, at: Place): Exact | undefined {
  return at.reduce<Exact | undefined>((value, step) => {
    if (value?.kind === 'object') return value.members.find(([name]) => name === step)?.[1];
    return value?.kind === 'array' ? value.items[Number(step)] : undefined;
  }, args);
}

/**
 * The same arguments with this value at a place, or without what stood there; all else stays as it was written. What
 * comes back stands where it stood in the arguments that were `asked`.
 */
export function withValue(args: Exact, at: Place, value: Exact | undefined, asked?: Exact): Exact {
  const [step, ...rest] = at;
  if (step === undefined) return value ?? args;
  const inner = asked && valueAt(asked, [step]);
  if (args.kind === 'array') {
    const place = Number(step);
    const item = args.items[place];
    const put = rest.length > 0 && item ? withValue(item, rest, value, inner) : value;
    if (!put) return { ...args, items: args.items.toSpliced(place, 1) };
    return { ...args, items: place < args.items.length ? args.items.with(place, put) : [...args.items, put] };
  }
  if (args.kind !== 'object') return args;
  const place = args.members.findIndex(([name]) => name === step);
  const member = args.members[place]?.[1];
  const put = rest.length > 0 && member ? withValue(member, rest, value, inner) : value;
  if (!put) return { ...args, members: args.members.filter(([name]) => name !== step) };
  if (place >= 0) return { ...args, members: args.members.with(place, [step, put]) };
  return { ...args, members: args.members.toSpliced(placeAsAsked(args.members, step, asked), 0, [step, put]) };
}

function placeAsAsked(members: Members, step: string, asked: Exact | undefined): number {
  const order = asked?.kind === 'object' ? asked.members.map(([name]) => name) : [];
  const before = new Set(order.slice(0, Math.max(0, order.indexOf(step))));
  return order.includes(step) ? members.findLastIndex(([name]) => before.has(name)) + 1 : members.length;
}
