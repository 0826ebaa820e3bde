import {
  fieldOf,
  type FormField,
  isObject,
  itemOptionsOf,
  membersFit,
  textOf,
  withoutNull,
} from '../../reply/form/schema.ts';
import type { Exact } from '../exact.ts';
import { holds } from './holds.ts';
import { nameOf, type Place } from './places.ts';

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

/**
 * The places where arguments of this schema are edited; undefined where only JSON can say it all. `strict` refuses a
 * value that its field could not show.
 */
export function nodesOf(root: Schema, args: Exact, strict: boolean): Node[] | undefined {
  if (root['type'] !== 'object') return undefined;
  return membersOf([], root, args, { root, strict });
}

/** All fields of these places, those of what they hold included. */
export function fieldsIn(nodes: readonly Node[]): FormField[] {
  return nodes.flatMap((node) =>
    node.kind === 'field' ? [node.field] : node.kind === 'absent' ? [] : fieldsIn(node.nodes),
  );
}

function membersOf(at: Place, schema: Schema, value: Exact, rules: Rules): Node[] | undefined {
  if (value.kind !== 'object' || !membersFit(schema) || at.length > DEEPEST) return undefined;
  const properties = Object.entries(schema['properties'] as Schema);
  const given = new Map(value.members);
  const known = new Set(properties.map(([name]) => name));
  // A twin, or a member that nobody described, could be lost unseen.
  if (given.size < value.members.length || [...given.keys()].some((name) => !known.has(name))) return undefined;
  const nodes = properties.map(([name, property]) =>
    nodeOf([...at, name], property, requires(schema, name), given.get(name), rules),
  );
  return nodes.every((node) => node !== undefined) ? nodes : undefined;
}

function nodeOf(at: Place, given: unknown, required: boolean, value: Exact | undefined, rules: Rules) {
  const schema = readable(given, rules.root);
  if (!schema) return undefined;
  const name = at.at(-1) ?? '';
  const shared = { at, label: typeof schema['title'] === 'string' ? schema['title'] : name };
  const holdsMore = isNested(schema);
  if (holdsMore && value === undefined)
    return { ...shared, kind: 'absent', blank: blankOf(schema, rules.root) } as const;
  if (holdsMore && value) return nestedOf(shared, schema, !required, value, rules);
  const field = fieldOf(name, schema, required);
  if (!field || (rules.strict && value !== undefined && !holds(field, value))) return undefined;
  return { kind: 'field', field: { ...field, name: nameOf(at) } } as const;
}

function nestedOf(shared: Shared, schema: Schema, removable: boolean, value: Exact, rules: Rules): Node | undefined {
  const { at } = shared;
  if (schema['type'] === 'object') {
    const nodes = membersOf(at, schema, value, rules);
    return nodes && { ...shared, kind: 'object', nodes, removable };
  }
  const items = readable(schema['items'], rules.root);
  if (!items || value.kind !== 'array' || at.length > DEEPEST) return undefined;
  const nodes = value.items.map((item, place) => entryOf([...at, String(place)], items, item, rules));
  if (!nodes.every((node) => node !== undefined)) return undefined;
  const { minItems = 0, maxItems = Infinity } = schema as { minItems?: number; maxItems?: number };
  const count = value.items.length;
  const more = count < maxItems ? blankOf(items, rules.root) : undefined;
  return { ...shared, kind: 'list', nodes, fewer: count > minItems, more };
}

// An entry of a list is named by its number.
function entryOf(at: Place, items: Schema, value: Exact, rules: Rules): Node | undefined {
  const label = String(Number(at.at(-1)) + 1);
  const node = nodeOf(at, items, true, value, rules);
  if (node?.kind === 'field') return { kind: 'field', field: { ...node.field, label } };
  return node && { ...node, label };
}

// Several frameworks keep what they describe once under "$defs" and say "or null" for what may be left out.
function readable(given: unknown, root: Schema, hops = 0): Schema | undefined {
  if (!isObject(given) || hops > DEEPEST) return undefined;
  const { schema, nullable } = withoutNull(given);
  const { $ref: reference, ...rest } = schema;
  if (reference === undefined) return nullable && !isNested(schema) ? given : schema;
  const [, shelf = '', name = ''] = /^#\/(\$defs|definitions)\/([^/~%]+)$/.exec(textOf(reference)) ?? [];
  const shelves = root[shelf];
  const found = isObject(shelves) && Object.hasOwn(shelves, name) ? readable(shelves[name], root, hops + 1) : undefined;
  if (!found || (nullable && !isNested(found))) return undefined;
  return { ...found, ...rest };
}

function isNested(schema: Schema): boolean {
  if (schema['type'] === 'object') return isObject(schema['properties']);
  return schema['type'] === 'array' && isObject(schema['items']) && itemOptionsOf(schema) === undefined;
}

function blankOf(schema: Schema, root: Schema, depth = 0): Exact {
  if (schema['type'] === 'array') return { kind: 'array', items: [] };
  if (schema['type'] !== 'object') return { kind: 'string', text: '' };
  const members = Object.entries(isObject(schema['properties']) ? schema['properties'] : {}).flatMap(
    ([name, property]): [string, Exact][] => {
      const inner = requires(schema, name) && depth < DEEPEST ? readable(property, root) : undefined;
      return inner && isNested(inner) ? [[name, blankOf(inner, root, depth + 1)]] : [];
    },
  );
  return { kind: 'object', members };
}

function requires({ required }: Schema, name: string): boolean {
  return Array.isArray(required) && required.includes(name);
}
