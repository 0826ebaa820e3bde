import { readField, type FormField, isObject, readItemOptions, toText, withoutNull } from '../../reply/form/schema.ts';
import { type Exact, readExact, writeExact } from '../exact.ts';

export type Schema = Record<string, unknown>;
/** One of several shapes that a value may have. */
export type Alternative = { label: string; schema: Schema };

/** How deep places are read, and how often a reference is followed. */
export const DEEPEST = 8;
const MOST_BLANKS = 20;
const UNION = ['oneOf', 'anyOf'] as const;

/** The schema of a value: several frameworks keep what they describe once under "$defs" and say "or null" for what may be left out. */
export function readable(given: unknown, root: Schema, hops = 0): Schema | undefined {
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

/** True for a value that holds further ones. */
export function isNested(schema: Schema): boolean {
  if (unionOf(schema)) return true;
  if (schema['type'] === 'object') return isObject(schema['properties']);
  return schema['type'] === 'array' && isObject(schema['items']) && readItemOptions(schema) === undefined;
}

// Two shapes or more, each of them an object's; a list of words to choose from is a field.
function unionOf(schema: Schema): Schema[] | undefined {
  const [word, other] = UNION.filter((one) => schema[one] !== undefined);
  const list = word && !other ? schema[word] : undefined;
  if (!Array.isArray(list)) return undefined;
  const shapes = list.filter((one) => !(isObject(one) && one['type'] === 'null'));
  const fit = (one: unknown) => isObject(one) && (['properties', '$ref', 'required'] as const).some((at) => at in one);
  return shapes.length > 1 && shapes.every(fit) ? shapes : undefined;
}

/**
 * The objects that a value of this schema may be, each with what the schema says of all of them; undefined where it says
 * of no such choice, or says it with words that are not read here.
 */
export function readAlternatives(schema: Schema, root: Schema): Alternative[] | undefined {
  // `discriminator` only tells a reader which member to look at.
  const { oneOf: _one, anyOf: _any, discriminator: _said, ...common } = schema;
  const read = unionOf(schema)?.map((given) => {
    const shape = readable(given, root);
    return shape && !unionOf(shape) ? both(common, shape, root) : undefined;
  });
  return read?.every((one) => one !== undefined) ? read : undefined;
}

function both(common: Schema, shape: Schema, root: Schema): Alternative | undefined {
  const [mine = {}, own = {}] = [common['properties'], shape['properties']] as (Schema | undefined)[];
  if (!isObject(mine) || !isObject(own) || (shape['type'] ?? common['type']) !== 'object') return undefined;
  // What allows no other members than its own refuses those of the other.
  const closed = (one: Schema, others: Schema, its: Schema) =>
    one['additionalProperties'] === false && Object.keys(others).some((name) => !Object.hasOwn(its, name));
  if (closed(common, own, mine) || closed(shape, mine, own)) return undefined;
  const needed = [common['required'], shape['required']].flatMap((list): unknown[] =>
    Array.isArray(list) ? list : [],
  );
  const schema = { ...common, ...shape, type: 'object', properties: { ...mine, ...own }, required: needed };
  const said = constants({ properties: own }, root).map(([, value]) => toText(JSON.parse(writeExact(value))));
  const names = Array.isArray(shape['required']) ? shape['required'].map(toText) : Object.keys(own);
  const title = typeof shape['title'] === 'string' ? shape['title'] : undefined;
  return { label: title ?? (said.length > 0 ? said : names).join(', '), schema };
}

/** The members of an object that can have one value only. */
export function constants(schema: Schema, root: Schema): [name: string, value: Exact][] {
  const properties = Object.entries(isObject(schema['properties']) ? schema['properties'] : {});
  return properties.flatMap(([name, given]): [string, Exact][] => {
    const inner = readable(given, root);
    const field = inner && !isNested(inner) ? readField(name, inner, true) : undefined;
    if (field?.kind !== 'choice' || field.options.length !== 1) return [];
    const value = readExact(JSON.stringify(field.options[0]?.value));
    return value ? [[name, value]] : [];
  });
}

/** What an alternative begins as: what only it can hold, and a blank for each text it requires, so that it is told from the others. */
export function beginAlternative({ schema }: Alternative, root: Schema): Exact {
  const blank = makeBlank(schema, root);
  const begun = new Map(blank.kind === 'object' ? blank.members : []);
  for (const [name, value] of constants(schema, root)) if (requires(schema, name)) begun.set(name, value);
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const members = Object.entries(properties).flatMap(([name, given]): [string, Exact][] => {
    const value = begun.get(name);
    if (value) return [[name, value]];
    const inner = readable(given, root);
    const isText = inner !== undefined && readField(name, inner, true)?.kind === 'string';
    return isText && requires(schema, name) ? [[name, { kind: 'string', text: '' }]] : [];
  });
  return { kind: 'object', members };
}

/** What a value of this schema begins as: what it requires, as many entries as it wants at least, and what its fields have by default. */
export function makeBlank(schema: Schema, root: Schema, depth = 0): Exact {
  if (schema['type'] === 'array') {
    const items = depth < DEEPEST ? readable(schema['items'], root) : undefined;
    const least = items ? Math.min(Number(schema['minItems'] ?? 0), MOST_BLANKS) : 0;
    return { kind: 'array', items: Array.from({ length: least }, () => makeBlank(items ?? {}, root, depth + 1)) };
  }
  // Which of several shapes it has is chosen by whoever fills it in.
  if (unionOf(schema)) return { kind: 'object', members: [] };
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

/** True for a member that an object of this schema must have. */
export function requires({ required }: Schema, name: string): boolean {
  return Array.isArray(required) && required.includes(name);
}

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
