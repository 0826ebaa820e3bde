import type { Json } from '#shared/json.ts';

type Shared = { name: string; label: string; description?: string; required: boolean; initial?: unknown };
/** One field of a flat form; the kinds a page can draw. */
export type FormField = Shared &
  (
    | {
        kind: 'string';
        format?: 'email' | 'uri' | 'date' | 'date-time';
        minLength?: number;
        maxLength?: number;
        pattern?: string;
      }
    | { kind: 'number' | 'integer'; minimum?: number; maximum?: number }
    | { kind: 'boolean' }
    | { kind: 'choice' | 'multi'; options: { value: Json; label: string }[]; minItems?: number; maxItems?: number }
  );

/** What stands in each field: the text as typed, yes or no, or the places of the chosen options. */
export type Raw = Record<string, string | boolean | number[]>;

type Schema = Record<string, unknown>;

const BEYOND_FLAT = [
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  '$ref',
  '$dynamicRef',
  'patternProperties',
  'dependentSchemas',
  'dependentRequired',
];
const FORMATS = ['email', 'uri', 'date', 'date-time'] as const;

/** The fields of a flat object of primitives; undefined for any other schema, which is answered as JSON. */
export function formOf(schema: Schema): FormField[] | undefined {
  const properties = schema['properties'];
  if (schema['type'] !== 'object' || !isObject(properties) || BEYOND_FLAT.some((word) => word in schema))
    return undefined;
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  const fields = Object.entries(properties).map(([name, property]) =>
    isObject(property) ? fieldOf(name, property, required.has(name)) : undefined,
  );
  return fields.length > 0 && fields.every((field) => field !== undefined) ? fields : undefined;
}

/** The state of the fields for a value of the form; fields without one begin with the schema's default. */
export function rawOf(fields: FormField[], value: unknown): Raw {
  const given = isObject(value) ? value : {};
  const raw: Raw = {};
  for (const field of fields) {
    const initial = field.name in given ? given[field.name] : field.initial;
    if (initial === undefined) continue;
    if (field.kind === 'boolean') {
      if (typeof initial === 'boolean') raw[field.name] = initial;
    } else if (field.kind === 'choice' || field.kind === 'multi') {
      const chosen = field.kind === 'multi' && Array.isArray(initial) ? initial : [initial];
      raw[field.name] = chosen
        .map((one) => field.options.findIndex((option) => option.value === one))
        .filter((at) => at >= 0);
    } else
      raw[field.name] = field.kind === 'string' && field.format === 'date-time' ? localOf(initial) : textOf(initial);
  }
  return raw;
}

/** The values of the fields; blank ones are absent. `unfinished` keeps a number that is none yet as its text. */
export function valuesOf(fields: FormField[], raw: Raw, unfinished: boolean): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    const value = valueOf(field, raw[field.name], unfinished);
    if (value !== undefined) values[field.name] = value;
  }
  return values;
}

function valueOf(field: FormField, raw: Raw[string] | undefined, unfinished: boolean): unknown {
  if (raw === undefined || raw === '') return undefined;
  switch (field.kind) {
    case 'boolean':
      return raw === true || raw === false ? raw : undefined;
    case 'choice':
      return Array.isArray(raw) ? field.options[raw[0] ?? -1]?.value : undefined;
    case 'multi':
      return Array.isArray(raw) ? raw.toSorted((a, b) => a - b).map((at) => field.options[at]?.value) : undefined;
    case 'number':
    case 'integer': {
      const number = Number(raw);
      return Number.isFinite(number) ? number : unfinished ? raw : undefined;
    }
    case 'string':
      return field.format === 'date-time' ? instantOf(String(raw)) : raw;
  }
}

/** What stands in the fields, as plain words in their order. */
export function formWords(fields: FormField[], raw: Raw): string {
  const words = fields.map((field) => {
    const value = raw[field.name];
    if (value === undefined || value === '') return '';
    if (field.kind === 'boolean') return value === true ? field.label : '';
    if (!Array.isArray(value)) return textOf(value);
    return 'options' in field ? value.map((at) => field.options[at]?.label ?? '').join(', ') : '';
  });
  return words.filter((word) => word !== '').join(', ');
}

function fieldOf(name: string, schema: Schema, required: boolean): FormField | undefined {
  const text = (word: string) => (typeof schema[word] === 'string' ? (schema[word] as string) : undefined);
  const number = (word: string) => (typeof schema[word] === 'number' ? { [word]: schema[word] } : {});
  const shared: Shared = {
    name,
    label: text('title') ?? name,
    required,
    initial: schema['default'],
    ...(text('description') ? { description: text('description')! } : {}),
  };
  const options = optionsOf(schema);
  if (options) return { ...shared, kind: 'choice', options };
  if (BEYOND_FLAT.some((word) => word in schema)) return undefined;
  switch (schema['type']) {
    case 'string': {
      const format = FORMATS.find((known) => known === schema['format']);
      return {
        ...shared,
        kind: 'string',
        ...(format ? { format } : {}),
        ...number('minLength'),
        ...number('maxLength'),
        ...(text('pattern') ? { pattern: text('pattern')! } : {}),
      };
    }
    case 'number':
    case 'integer':
      return { ...shared, kind: schema['type'], ...number('minimum'), ...number('maximum') };
    case 'boolean':
      return { ...shared, kind: 'boolean' };
    case 'array': {
      const items = isObject(schema['items']) ? optionsOf(schema['items']) : undefined;
      return items
        ? { ...shared, kind: 'multi', options: items, ...number('minItems'), ...number('maxItems') }
        : undefined;
    }
    default:
      return undefined;
  }
}

// `enum`, with MCP's old `enumNames`, or a list of `const` and `title`.
function optionsOf(schema: Schema): { value: Json; label: string }[] | undefined {
  const named = schema['oneOf'] ?? schema['anyOf'];
  if (Array.isArray(named) && named.length > 0 && named.every((one) => isObject(one) && isPrimitive(one['const']))) {
    return named.map((one: Schema) => ({
      value: one['const'] as Json,
      label: typeof one['title'] === 'string' ? one['title'] : textOf(one['const']),
    }));
  }
  const listed = schema['enum'];
  if (!Array.isArray(listed) || listed.length === 0 || !listed.every(isPrimitive)) return undefined;
  const names: unknown[] = Array.isArray(schema['enumNames']) ? schema['enumNames'] : [];
  return listed.map((value: Json, at) => ({
    value,
    label: typeof names[at] === 'string' ? (names[at] as string) : textOf(value),
  }));
}

/** RFC 3339 with the device's own offset, from what a date and time field holds ("2026-11-21T14:17"). */
function instantOf(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? local : at.toISOString();
}

function localOf(value: unknown): string {
  const at = new Date(textOf(value));
  if (Number.isNaN(at.getTime())) return textOf(value);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isPrimitive(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value) || value === null;
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
