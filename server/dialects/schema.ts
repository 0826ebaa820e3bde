import { isObject } from './body.ts';
import type { Answered, Part } from './dialect.ts';

export type Schema = Record<string, unknown>;

/** A schema as the hub takes it: without the name of its draft, and of an object, for callers that take nothing else. */
export function objectSchema({ $schema: _draft, ...schema }: Schema = {}): Schema {
  return { type: 'object', ...schema };
}

/** One form for a schema that stands at this place of a body; what is no object stands in it as its one field, `wrapped`. */
export function formPart(
  prompt: string,
  given: Schema,
  at: { prompt: string; schema: string },
): { part: Part; wrapped: boolean } {
  const { schema, wrapped } = formSchema(given);
  const ask: Part['ask'] = { questions: [{ id: 'response', type: 'form', prompt, schema }] };
  const places: Part['places'] = [
    ['/questions/0/prompt', at.prompt],
    ['/questions/0/schema', at.schema],
  ];
  return { part: { ask, places }, wrapped };
}

/** What a person filled in, with the defaults of what they left out; undefined where nobody did. */
export function filledIn({ questions = [], resolution }: Answered, wrapped: boolean): unknown {
  const [question] = questions;
  if (resolution.outcome !== 'answered' || question?.type !== 'form') return undefined;
  const values = withDefaults(question.schema, resolution.answer?.values?.[question.id]);
  return wrapped ? (values as { response?: unknown } | undefined)?.response : values;
}

function formSchema({ $schema: _draft, ...schema }: Schema): { schema: Schema; wrapped: boolean } {
  const wrapped = schema['type'] !== 'object' && !isObject(schema['properties']);
  if (!wrapped) return { schema: withoutRequiredDefaults(schema), wrapped };
  const properties = { response: schema };
  return { schema: { type: 'object', properties, required: ['response'], ...definitions(schema) }, wrapped };
}

function withDefaults(schema: unknown, value: unknown): unknown {
  if (!isObject(schema) || !isObject(value)) return value;
  const missing = Object.entries(propertiesOf(schema)).filter(
    ([name, one]) => isObject(one) && !(name in value) && 'default' in one,
  );
  const defaults = missing.map(([name, one]) => [name, (one as Schema)['default']]);
  const given = Object.entries(value).map(([name, one]) => [name, withDefaults(propertiesOf(schema)[name], one)]);
  return Object.fromEntries([...given, ...defaults]);
}

/** Zod writes a field with a default as required, since it is there once the schema has read it. */
function withoutRequiredDefaults(schema: Schema): Schema {
  const properties = propertiesOf(schema);
  const required = schema['required'];
  const inner = Object.entries(properties).map(([name, one]) => [
    name,
    isObject(one) ? withoutRequiredDefaults(one) : one,
  ]);
  return {
    ...schema,
    ...(isObject(schema['properties']) ? { properties: Object.fromEntries(inner) as Schema } : {}),
    ...(Array.isArray(required) ? { required: required.filter((name) => !hasDefault(properties[String(name)])) } : {}),
  };
}

function hasDefault(schema: unknown): boolean {
  return isObject(schema) && 'default' in schema;
}

/** The schemas of an object's members. */
export function propertiesOf(schema: unknown): Schema {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  return isObject(properties) ? properties : {};
}

/** The definitions that references of a schema name. */
export function definitions(schema: Schema): Schema {
  return Object.fromEntries(['$defs', 'definitions'].flatMap((name) => (name in schema ? [[name, schema[name]]] : [])));
}
