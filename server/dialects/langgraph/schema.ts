import { z } from 'zod';
import { Allowed, type Action } from '#shared/inquiry.ts';
import type { Json } from '#shared/json.ts';
import { isObject, type Checks } from '../body.ts';
import { partsOf } from '../dialect.ts';
import { definitions, objectSchema, propertiesOf, type Schema } from '../schema.ts';
import type { Asked, Names } from './kept.ts';
import { describe } from './words.ts';

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
  const description = describe(call.description, call.name);
  const action: Action = {
    name: call.name,
    args: call.args as Json,
    ...(description === undefined ? {} : { description }),
    ...(allowed.includes('edit') ? { argsSchema: objectSchema({ ...definitions(schema), ...args }) } : {}),
    allowed,
  };
  const places = () => ({ argsSchema: `${at}/response_schema` });
  return {
    parts: partsOf([action], () => `${at}/value`, {}, places),
    form: { as: 'call', names },
  };
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
