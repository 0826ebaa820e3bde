import type { ToolName } from './words/vocabulary.ts';
import { z } from 'zod';
import { AnswerBody } from '#shared/answer.ts';
import { Ask } from '#shared/inquiry.ts';
import { NewNotice } from '#shared/wire.ts';
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
  $ref?: string;
  description?: string;
  type?: FlatSchema['type'];
  const?: string;
  enum?: string[];
  properties?: Record<string, Given>;
  required?: string[];
  items?: Given;
  oneOf?: Given[];
  anyOf?: Given[];
};

const inquiryId = z.string().describe('From the result of send_inquiry.');
// `latest`, `correlation` and `callback` are taken from programs, and would only cost a model's attention.
const asking = flat(Ask.omit({ latest: true, correlation: true, callback: true }));

const ASIDE_CHARACTERS = 4000;
/** What an agent may add to a request for a decision. */
export const Aside = z.object({
  background: z
    .string()
    .max(ASIDE_CHARACTERS)
    .optional()
    .describe('What led to this question: what you know, tried and ruled out.'),
  goal: z.string().max(ASIDE_CHARACTERS).optional().describe('What the task is to reach.'),
});

/** What each tool takes, as clients are told; what counts is what the hub itself checks. */
export const INPUTS = {
  send_inquiry: asking,
  get_answer: flat(z.object({ inquiryId })),
  decide_for_human: flat(z.object({ inquiryId, ...Aside.shape })),
  withdraw_inquiry: flat(z.object({ inquiryId, reason: z.string().optional().describe('Why, in a few words.') })),
  send_notice: flat(NewNotice),
  list_inquiries: flat(
    z.object({
      state: z.enum(['open', 'resolved']).optional().describe('open (default) or resolved.'),
      cursor: z.string().optional().describe('nextCursor of the page before.'),
      limit: z.number().optional().describe('At most 100; default 50.'),
    }),
  ),
  answer_inquiry: flat(
    z.object({
      inquiryId: z.string().describe('From list_inquiries.'),
      ...AnswerBody.omit({ via: true, assertion: true, code: true }).shape,
    }),
  ),
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

/** The schema with these descriptions, by dotted path, in place of its own; arrays are passed through. */
export function describe<T extends FlatSchema>(schema: T, words: Record<string, string>, path = ''): T {
  const properties = Object.entries(schema.properties ?? {}).map(([name, inner]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const text = words[at];
    return [name, { ...describe(inner, words, at), ...(text === undefined ? {} : { description: text }) }];
  });
  return {
    ...schema,
    ...(schema.properties ? { properties: Object.fromEntries(properties) } : {}),
    ...(schema.items ? { items: describe(schema.items, words, path) } : {}),
  };
}

/** The dotted paths that have a description, arrays passed through. */
export function describedPaths(schema: FlatSchema, path = ''): string[] {
  const inside = schema.items ? describedPaths(schema.items, path) : [];
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return [...(inner.description === undefined ? [] : [at]), ...describedPaths(inner, at)];
  });
  return [...inside, ...members];
}

function flat(schema: z.ZodObject): ObjectSchema {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Given & { $defs?: Named };
  const { description: _whole, ...flattened } = flatten(json, json.$defs ?? {});
  return flattened as ObjectSchema;
}

type Named = Record<string, Given>;

function flatten(unread: Given, named: Named): FlatSchema {
  const given = read(unread, named);
  const union = given.oneOf ?? given.anyOf;
  const { type = 'object', description, properties, required, items } = given;
  const described = description === undefined ? {} : { description };
  if (union) {
    const all = union.map((one) => read(one, named));
    const flattened = flatten(all.some((one) => one.properties) ? merged(all) : (all[0] ?? {}), named);
    return { ...flattened, ...described };
  }
  const values = given.const === undefined ? given.enum : [given.const];
  return {
    type,
    ...described,
    ...(values ? { enum: values } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, inner]) => [name, flatten(inner, named)]),
          ),
        }
      : {}),
    ...(properties && required && required.length > 0 ? { required } : {}),
    ...(items ? { items: withoutWords(flatten(items, named)) } : {}),
  };
}

// What an entry is stands where the list is described.
function withoutWords({ description: _words, ...schema }: FlatSchema): FlatSchema {
  return schema;
}

/** What a reference leads to, with the words that stand beside it. */
function read({ $ref, ...given }: Given, named: Named): Given {
  const name = $ref?.split('/').at(-1);
  return name === undefined ? given : { ...read(named[name] ?? {}, named), ...given };
}

// One object that has the members of all: which of them go together stands in the descriptions, and is checked here.
function merged(union: Given[]): Given {
  const properties: Record<string, Given> = {};
  for (const [name, inner] of union.flatMap((one) => Object.entries(one.properties ?? {}))) {
    const known = properties[name];
    const values = [...(known?.enum ?? []), ...(inner.const === undefined ? [] : [inner.const])];
    properties[name] = inner.const === undefined ? (known ?? inner) : toEnum(inner, [...new Set(values)]);
  }
  const always = Object.keys(properties).filter((name) => union.every(({ required }) => required?.includes(name)));
  return { type: 'object', properties, required: always };
}

function toEnum({ description }: Given, values: string[]): Given {
  return { type: 'string', ...(description === undefined ? {} : { description }), enum: values };
}
