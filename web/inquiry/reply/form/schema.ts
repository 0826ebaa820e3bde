import type { Json } from '#shared/json.ts';
import { labelsOf } from '#shared/call-name/labels.ts';

type Shared = {
  name: string;
  label: string;
  description?: string;
  required: boolean;
  nullable?: true;
  initial?: unknown;
};
export type Limits = {
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
};
/** One field of a flat form; the kinds a page can draw. */
export type FormField = Shared &
  (
    | {
        kind: 'string';
        format?: 'email' | 'uri' | 'date' | 'date-time';
        /** A format that has no field of its own here, said as its name. */
        written?: string;
        minLength?: number;
        maxLength?: number;
        pattern?: string;
      }
    | ({ kind: 'number' | 'integer' } & Limits)
    | { kind: 'boolean' }
    | { kind: 'choice' | 'multi'; options: { value: Json; label: string }[]; minItems?: number; maxItems?: number }
  );

type Schema = Record<string, unknown>;

// What only describes; anything else that is not read below could refuse what a field lets through.
const SAID = words('title description default examples deprecated readOnly writeOnly type $comment enumNames');
const ROOT = words('$schema $id $defs definitions properties required additionalProperties unevaluatedProperties');
const LIMITS = 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf';
const READ = {
  string: words('format minLength maxLength pattern contentEncoding contentMediaType'),
  number: words(`format ${LIMITS}`),
  integer: words(`format ${LIMITS}`),
  boolean: words(''),
  array: words('items minItems maxItems uniqueItems'),
};
const FORMATS = ['email', 'uri', 'date', 'date-time'] as const;

/** The fields of a flat object of primitives; undefined for any other schema, which is answered as JSON. */
export function readForm(schema: Schema): FormField[] | undefined {
  if (schema['type'] !== 'object' || !membersFit(schema)) return undefined;
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  const fields = Object.entries(schema['properties'] as Schema).map(([name, property]) =>
    isObject(property) ? readField(name, property, required.has(name)) : undefined,
  );
  return fields.length > 0 && fields.every((field) => field !== undefined) ? fields : undefined;
}

/** True where an object's members are all described by words that are read here. */
export function membersFit(schema: Schema): boolean {
  const { properties, required } = schema;
  if (!isObject(properties) || !knows(schema, ROOT)) return false;
  // A form that wants a member it does not describe, or a name that no object of ours can hold.
  const names = new Set(Object.keys(properties));
  return !names.has('__proto__') && !(Array.isArray(required) && required.some((name) => !names.has(name)));
}

/** The field of one member; undefined where none can be drawn. */
export function readField(name: string, given: Schema, required: boolean): FormField | undefined {
  const { schema, nullable } = withoutNull(given);
  const text = (word: string) => (typeof schema[word] === 'string' ? schema[word] : undefined);
  const description = text('description');
  const shared: Shared = {
    name,
    label: text('title') ?? name,
    required,
    ...(nullable ? { nullable } : {}),
    initial: schema['default'] ?? undefined,
    ...(description ? { description } : {}),
  };
  const options = readOptions(schema);
  if (options) return { ...shared, kind: 'choice', options };
  const type = schema['type'];
  if (!isReadable(type) || !knows(schema, READ[type])) return undefined;
  switch (type) {
    case 'string':
      return {
        ...shared,
        kind: 'string',
        ...readFormat(schema),
        ...numbers(schema, 'minLength maxLength'),
        ...readPattern(schema),
      };
    case 'number':
    case 'integer':
      return { ...shared, kind: type, ...numbers(schema, LIMITS) };
    case 'boolean':
      return { ...shared, kind: 'boolean' };
    case 'array': {
      const items = readItemOptions(schema);
      return items ? { ...shared, kind: 'multi', options: items, ...numbers(schema, 'minItems maxItems') } : undefined;
    }
  }
}

/** What a list may hold, where that is listed. */
export function readItemOptions({ items }: Schema): { value: Json; label: string }[] | undefined {
  return isObject(items) ? readOptions(items) : undefined;
}

/** "A string or null" is how several frameworks write an optional field; left blank it is null. */
export function withoutNull(schema: Schema): { schema: Schema; nullable?: true } {
  const { type, anyOf, ...rest } = schema;
  if (Array.isArray(type) && type.length === 2 && type.includes('null') && !('enum' in schema))
    return { schema: { ...schema, type: type.find((one) => one !== 'null') }, nullable: true };
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || type !== undefined) return { schema };
  const [some] = anyOf.filter((one) => !isNull(one));
  return anyOf.some(isNull) && isObject(some) ? { schema: { ...some, ...rest }, nullable: true } : { schema };
}

function isNull(schema: unknown): boolean {
  return isObject(schema) && schema['type'] === 'null';
}

// `enum`, with MCP's old `enumNames`, or a list of `const` and `title`.
function readOptions(schema: Schema): { value: Json; label: string }[] | undefined {
  const fitting = (options: { value: Json; label: string }[]) => {
    const typed = options.filter(({ value }) => hasType(value, schema['type']));
    const labels = labelsOf(typed.map(({ value, label }) => ({ value: toText(value), label })));
    return typed.length > 0 ? typed.map(({ value }, at) => ({ value, label: labels[at] ?? toText(value) })) : undefined;
  };
  const named = schema['oneOf'] ?? schema['anyOf'];
  if (Array.isArray(named) && named.length > 0 && named.every(isNamed) && knows(schema, words('oneOf anyOf'))) {
    return 'oneOf' in schema && 'anyOf' in schema ? undefined : fitting(distinct(named.map(readNamed)));
  }
  const listed = 'const' in schema ? [schema['const']] : schema['enum'];
  if (!Array.isArray(listed) || listed.length === 0 || !listed.every(isPrimitive)) return undefined;
  if (!knows(schema, words(listed.length === 1 && 'const' in schema ? 'const' : 'enum'))) return undefined;
  const names: unknown[] = Array.isArray(schema['enumNames']) ? schema['enumNames'] : [];
  return fitting(
    listed.map((value: Json, at) => ({ value, label: typeof names[at] === 'string' ? names[at] : toText(value) })),
  );
}

function isNamed(one: unknown): one is Schema {
  return isObject(one) && isPrimitive(one['const']) && knows(one, words('const'));
}

function readNamed(one: Schema): { value: Json; label: string } {
  return { value: one['const'] as Json, label: typeof one['title'] === 'string' ? one['title'] : toText(one['const']) };
}

function distinct(options: { value: Json; label: string }[]) {
  return options.filter(({ value }, at) => options.findIndex((one) => one.value === value) === at);
}

function hasType(value: unknown, type: unknown): boolean {
  if (type === undefined) return true;
  if (Array.isArray(type)) return type.some((one) => hasType(value, one));
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function readFormat(schema: Schema) {
  const format = FORMATS.find((known) => known === schema['format']);
  if (format) return { format };
  return typeof schema['format'] === 'string' ? { written: schema['format'] } : {};
}

function readPattern(schema: Schema) {
  return typeof schema['pattern'] === 'string' ? { pattern: schema['pattern'] } : {};
}

function numbers(schema: Schema, names: string): Record<string, number> {
  return Object.fromEntries(
    names.split(' ').flatMap((name) => {
      const value = schema[name];
      return typeof value === 'number' ? [[name, value]] : [];
    }),
  );
}

function knows(schema: Schema, read: Set<string>): boolean {
  return Object.keys(schema).every((word) => SAID.has(word) || read.has(word) || word.startsWith('x-'));
}

function words(list: string): Set<string> {
  return new Set(list.split(' '));
}

function isReadable(type: unknown): type is keyof typeof READ {
  return typeof type === 'string' && Object.hasOwn(READ, type);
}

function isPrimitive(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value) || value === null;
}

/** A JSON value as the text that stands for it. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
