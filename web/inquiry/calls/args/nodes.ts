import { readField, type FormField, membersFit } from '../../reply/form/schema.ts';
import { type Exact, writeExact } from '../exact.ts';
import {
  type Alternative,
  beginAlternative,
  constants,
  DEEPEST,
  holds,
  isNested,
  makeBlank,
  readable,
  readAlternatives,
  requires,
  type Schema,
} from './schemas.ts';

type Shared = { at: Place; label: string };
/** Arguments as a person edits them: fields, and what holds further ones, in the order of their schema. */
export type Node =
  | { kind: 'field'; field: FormField }
  | (Shared & { kind: 'object'; nodes: Node[]; removable: boolean })
  /** `more` is what a further entry begins as, where there may be one. */
  | (Shared & { kind: 'list'; nodes: Node[]; fewer: boolean; more: Exact | undefined })
  /** One of several shapes; `chosen` is the place of the one it has, and `nodes` are of that one. */
  | (Shared & {
      kind: 'alternatives';
      options: { label: string; blank: Exact }[];
      chosen: number | undefined;
      nodes: Node[];
      value: Exact;
      removable: boolean;
    })
  /** May be there and is not; `blank` is what it begins as. */
  | (Shared & { kind: 'absent'; blank: Exact });
/** Which alternative was picked at a place, by its name: what is blank in each says of none. */
export type Picked = ReadonlyMap<string, number>;

/** `tries` bounds how often a value is read as one of several shapes, which in each other would take a power of their number. */
type Rules = { root: Schema; strict: boolean; picked: Picked | undefined; tries: { left: number } };
const MOST_TRIES = 500;

/**
 * The places where arguments of this schema are edited; undefined where only JSON can say it all. `strict` refuses a
 * value that its field could not show.
 */
export function readNodes(root: Schema, args: Exact, strict: boolean, picked?: Picked): Node[] | undefined {
  const rules = { root, strict, picked, tries: { left: MOST_TRIES } };
  if (!isNested(root) || root['type'] === 'array') return undefined;
  const shared = { at: [], label: typeof root['title'] === 'string' ? root['title'] : '' };
  const node = readNested(shared, root, false, args, rules);
  return node?.kind === 'object' ? node.nodes : node && [node];
}

/** All fields of these places, those of what they hold included. */
export function fieldsIn(nodes: readonly Node[]): FormField[] {
  return nodes.flatMap((node) =>
    node.kind === 'field'
      ? [node.field]
      : node.kind === 'absent'
        ? []
        : node.kind === 'alternatives' && node.chosen === undefined
          ? [toChoice(node)]
          : fieldsIn(node.nodes),
  );
}

// That none is chosen is told as a choice that is missing.
function toChoice({ at, label }: Shared): FormField {
  return { name: toFieldName(at), label, required: true, kind: 'choice', options: [] };
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
  const alternatives = readAlternatives(schema, rules.root);
  if (alternatives) return readChosen(shared, alternatives, removable, value, rules);
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

function readChosen(
  shared: Shared,
  alternatives: Alternative[],
  removable: boolean,
  value: Exact,
  rules: Rules,
): Node | undefined {
  const { at } = shared;
  const { root } = rules;
  const read = alternatives.map(({ schema }) => readAs(at, schema, value, rules));
  const exactly = rules.strict
    ? read
    : alternatives.map(({ schema }) => readAs(at, schema, value, { ...rules, strict: true }));
  const picked = rules.picked?.get(toFieldName(at));
  const isEmpty = value.kind === 'object' && value.members.length === 0;
  const places = alternatives.keys().toArray();
  const chosen =
    picked !== undefined && read[picked]
      ? picked
      : isEmpty
        ? places.find((place) => read[place] && beginsEmpty(alternatives[place], root))
        : (places.find((place) => exactly[place]) ?? places.find((place) => read[place]));
  if (chosen === undefined && !isEmpty) return undefined;
  const options = alternatives.map((one) => ({ label: one.label, blank: beginAlternative(one, root) }));
  const nodes = chosen === undefined ? [] : (read[chosen] ?? []);
  return { ...shared, kind: 'alternatives', options, chosen, nodes, value, removable };
}

function beginsEmpty(one: Alternative | undefined, root: Schema): boolean {
  const required = one?.schema['required'];
  return one !== undefined && constants(one.schema, root).length === 0 && !(Array.isArray(required) && required[0]);
}

// What can have one value only says which alternative it is; it is no field to fill in.
function readAs(at: Place, schema: Schema, value: Exact, rules: Rules): Node[] | undefined {
  if (--rules.tries.left < 0) return undefined;
  const given = new Map(value.kind === 'object' ? value.members : []);
  const fixed = constants(schema, rules.root);
  const fits = fixed.every(([name, only]) => {
    const has = given.get(name);
    return has ? writeExact(has) === writeExact(only) : !requires(schema, name);
  });
  const said = new Set(fixed.filter(([name]) => given.has(name)).map(([name]) => toFieldName([...at, name])));
  const nodes = fits ? readMembers(at, schema, value, rules) : undefined;
  return nodes?.filter((node) => node.kind !== 'field' || !said.has(node.field.name));
}

// An entry of a list is named by its number.
function readEntry(at: Place, items: Schema, value: Exact, rules: Rules): Node | undefined {
  const label = String(Number(at.at(-1)) + 1);
  const node = readNode(at, items, true, value, rules);
  if (node?.kind === 'field') return { kind: 'field', field: { ...node.field, label } };
  return node && { ...node, label };
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
