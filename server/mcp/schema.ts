import { z } from 'zod';
import { AnswerBody } from '#shared/answer.ts';
import { Ask } from '#shared/inquiry.ts';
import { NewNotice } from '#shared/wire.ts';
import type { ToolName } from './words/words.ts';

/** The part of JSON Schema that the models of every vendor take: no references, unions, formats or limits. */
export type FlatSchema = {
  type: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean';
  description?: string;
  enum?: string[];
  properties?: Record<string, FlatSchema>;
  required?: string[];
  items?: FlatSchema;
};
export type ObjectSchema = FlatSchema & { type: 'object'; properties: Record<string, FlatSchema> };

type Given = {
  type?: FlatSchema['type'];
  const?: string;
  enum?: string[];
  properties?: Record<string, Given>;
  required?: string[];
  items?: Given;
  oneOf?: Given[];
  anyOf?: Given[];
};

const inquiryId = z.string();
// `latest`, `correlation` and `callback` are taken from programs, and would only cost a model's attention.
const asking = flat(Ask.omit({ latest: true, correlation: true, callback: true }));

/** What each tool takes, as clients are told; what counts is what the hub itself checks. */
export const INPUTS = {
  send_inquiry: asking,
  get_answer: flat(z.object({ inquiryId })),
  decide_for_human: flat(z.object({ inquiryId })),
  withdraw_inquiry: flat(z.object({ inquiryId, reason: z.string().optional() })),
  send_notice: flat(NewNotice),
  list_inquiries: flat(
    z.object({
      state: z.enum(['open', 'resolved']).optional(),
      cursor: z.string().optional(),
      limit: z.number().optional(),
    }),
  ),
  answer_inquiry: flat(z.object({ inquiryId, ...AnswerBody.omit({ via: true }).shape })),
} satisfies Record<ToolName, ObjectSchema>;

/** Whether a dotted path ("questions.options.label") names a parameter of `send_inquiry`. */
export function isDescribed(path: string): boolean {
  let at: FlatSchema | undefined = asking;
  for (const step of path.split('.')) {
    const members: Record<string, FlatSchema> | undefined = (at.items ?? at).properties;
    at = members && Object.hasOwn(members, step) ? members[step] : undefined;
    if (at === undefined) return false;
  }
  return true;
}

/** The schema with a description at each of these dotted paths; arrays are passed through. */
export function describe<T extends FlatSchema>(schema: T, words: Record<string, string>, path = ''): T {
  const properties = Object.entries(schema.properties ?? {}).map(([name, inner]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const text = words[at];
    return [name, { ...(text === undefined ? {} : { description: text }), ...describe(inner, words, at) }];
  });
  return {
    ...schema,
    ...(schema.properties ? { properties: Object.fromEntries(properties) } : {}),
    ...(schema.items ? { items: describe(schema.items, words, path) } : {}),
  };
}

function flat(schema: z.ZodObject): ObjectSchema {
  return flatten(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Given) as ObjectSchema;
}

function flatten(given: Given): FlatSchema {
  const union = given.oneOf ?? given.anyOf;
  if (union) return union.some(({ properties }) => properties) ? flatten(merged(union)) : flatten(union[0] ?? {});
  const { type = 'object', properties, required, items } = given;
  const values = given.const === undefined ? given.enum : [given.const];
  return {
    type,
    ...(values ? { enum: values } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, flatten(inner)])),
        }
      : {}),
    ...(properties && required && required.length > 0 ? { required } : {}),
    ...(items ? { items: flatten(items) } : {}),
  };
}

// One object that has the members of all: which of them go together stands in the descriptions, and is checked here.
function merged(union: Given[]): Given {
  const properties: Record<string, Given> = {};
  for (const [name, inner] of union.flatMap((one) => Object.entries(one.properties ?? {}))) {
    const known = properties[name];
    const values = [...(known?.enum ?? []), ...(inner.const === undefined ? [] : [inner.const])];
    properties[name] = inner.const === undefined ? (known ?? inner) : { type: 'string', enum: [...new Set(values)] };
  }
  const always = Object.keys(properties).filter((name) => union.every(({ required }) => required?.includes(name)));
  return { type: 'object', properties, required: always };
}
