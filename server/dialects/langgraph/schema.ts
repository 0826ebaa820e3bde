import { z } from 'zod';
import { Allowed, type Action } from '#shared/inquiry.ts';
import type { Json } from '#shared/json.ts';
import { isObject, objectSchema, type Checks } from '../body.ts';
import { partsOf } from '../dialect.ts';
import type { Asked, Names } from './kept.ts';

type Schema = Record<string, unknown>;

const Call = z.object({
  name: z.string(),
  args: z.unknown(),
  description: z.string().nullish(),
});

/** One call, asked by itself; its schema has a branch for each decision that may be taken. */
export function readCall(value: Schema, schema: Schema, at: string, checks: Checks): Asked | undefined {
  const call = checks.read(Call, value, `${at}/value`);
  const branches = branchesOf(schema);
  const allowed = Allowed.safeParse([...branches.keys()].filter((type) => TYPES.has(type))).data;
  if (!allowed) {
    const message = 'has no branch whose "type" is approve, edit, reject or respond';
    return checks.refuse(`${at}/response_schema`, 'langgraph.decisions', message);
  }
  if (!call) return undefined;
  const edited = propertiesOf(branches.get('edit'));
  const names: Names = !edited['editedAction'] ? 'python' : edited['edited_action'] ? 'both' : 'js';
  const inner = resolved(edited[names === 'python' ? 'edited_action' : 'editedAction'], schema);
  const args = resolved(propertiesOf(inner)['args'], schema);
  const action: Action = {
    name: call.name,
    args: call.args as Json,
    ...(call.description?.trim() ? { description: call.description } : {}),
    ...(allowed.includes('edit') ? { argsSchema: objectSchema({ ...definitions(schema), ...args }) } : {}),
    allowed,
  };
  const places = () => ({ argsSchema: `${at}/response_schema` });
  return {
    parts: partsOf([action], () => `${at}/value`, {}, places),
    form: { as: 'call', names },
  };
}

/** A form for what `interrupt(value, {responseSchema})` waits for; what is no object stands in it as its one field. */
export function formSchema({ $schema: _draft, ...schema }: Schema): { schema: Schema; wrapped: boolean } {
  const wrapped = schema['type'] !== 'object' && !isObject(schema['properties']);
  if (!wrapped) return { schema: withoutRequiredDefaults(schema), wrapped };
  const properties = { response: schema };
  return { schema: { type: 'object', properties, required: ['response'], ...definitions(schema) }, wrapped };
}

/** The values of a form with the defaults of what was left out. */
export function withDefaults(schema: unknown, value: unknown): unknown {
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

const TYPES = new Set<string>(['approve', 'edit', 'reject', 'respond']);

/** The branches of a schema by the value that their member "type" has to have. */
function branchesOf(schema: Schema): Map<string, Schema> {
  const branches = schema['oneOf'] ?? schema['anyOf'] ?? [schema];
  const found = new Map<string, Schema>();
  for (const given of Array.isArray(branches) ? branches : []) {
    const branch = resolved(given, schema);
    const type = resolved(propertiesOf(branch)['type'], schema) ?? {};
    const values = 'const' in type ? [type['const']] : type['enum'];
    for (const value of branch && Array.isArray(values) ? values : []) found.set(String(value), branch as Schema);
  }
  return found;
}

function propertiesOf(schema: unknown): Schema {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  return isObject(properties) ? properties : {};
}

function definitions(schema: Schema): Schema {
  return Object.fromEntries(['$defs', 'definitions'].flatMap((name) => (name in schema ? [[name, schema[name]]] : [])));
}

/** What a reference within the same schema names; one step, as Zod and Pydantic write them. */
function resolved(schema: unknown, root: Schema): Schema | undefined {
  if (!isObject(schema)) return undefined;
  const { $ref: ref } = schema;
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return schema;
  const named = ref
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (inside, step) => (isObject(inside) && Object.hasOwn(inside, step) ? inside[step] : undefined),
      root,
    );
  return isObject(named) ? named : undefined;
}
