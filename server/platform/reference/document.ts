import { z } from 'zod';
import { ProblemDocument } from './problem.ts';
import { WEBHOOKS } from './webhooks.ts';
import type { ProblemCode } from '#shared/reference/problems.ts';
import { BODIES, parameterExample } from './examples.ts';
import { byStatus } from './operation.ts';

type Json = Record<string, unknown>;
type Response = { description: string; content?: Json; headers?: Json };
type Operation = Json & {
  operationId?: string;
  parameters?: (Json & { name: string })[];
  requestBody?: { content: Record<string, Json> };
  responses: Record<string, Response>;
  'x-problems'?: ProblemCode[];
};
export type Document = Json & {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, { post: Json }>;
  components: Json & { schemas: Record<string, Json> };
};

const SAID = 'Default Response';
const USUAL: Record<string, string> = {
  200: 'Done.',
  201: 'Made.',
  202: 'Begun.',
  204: 'Done; there is nothing to tell.',
  409: 'Not as things stand.',
};
const RETRY_AFTER = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'string' } } };

/**
 * The whole document: every problem of every operation, examples of what they take, the webhooks, and of the named schemas
 * those that something uses.
 */
export function finish(document: Document): Document {
  const { openapi, info, servers, tags, paths, ...rest } = document;
  for (const [path, operations] of Object.entries(paths))
    for (const operation of Object.values(operations)) {
      answerProblems(operation);
      showExamples(path, operation);
    }
  const whole = tidy({ openapi, info, servers, tags, paths, webhooks: webhooks(), ...rest } as Document);
  const { schemas } = whole.components;
  if (schemas['AnswerBody']) schemas['AnswerBody'] = alternatives(schemas['AnswerBody']);
  return whole;
}

function showExamples(path: string, { operationId = '', parameters = [], requestBody }: Operation): void {
  for (const parameter of parameters) parameter['example'] = parameterExample(path, parameter.name);
  for (const content of Object.values(requestBody?.content ?? {}))
    if (!content['examples']) content['example'] = BODIES[operationId];
}

/** What an answer of each kind holds; a member with "?" may be left out. */
const ANSWERS: Record<string, string[]> = {
  Text: ['text'],
  Document: ['markdown'],
  Shorthand: ['response'],
  Values: ['values', 'other?'],
  'Own words': ['other', 'values?'],
  Decisions: ['decisions', 'digest'],
};
const BESIDE = ['answerId?', 'digest?', 'late?', 'via?'];

/**
 * The body of an answer as one of its kinds, so that in a typed client one that no inquiry takes does not compile. The hub
 * itself reads it leniently and says what does not fit.
 */
function alternatives(schema: Json): Json {
  const { properties, type: _, ...rest } = schema;
  const all = properties as Record<string, Json>;
  const one = (title: string, members: string[], outcome: string): Json => {
    const names = members.map((name) => name.replace('?', ''));
    return {
      title,
      type: 'object',
      properties: {
        ...Object.fromEntries(names.map((name) => [name, all[name]])),
        outcome: { ...all['outcome'], enum: [outcome] },
      },
      required: [...members.filter((name) => !name.endsWith('?')), ...(outcome === 'declined' ? ['outcome'] : [])],
    };
  };
  const kinds = Object.entries(ANSWERS).map(([title, members]) => {
    const beside = BESIDE.filter((name) => !members.includes(name.replace('?', '')));
    return one(title, [...members, ...beside], 'answered');
  });
  return { ...rest, anyOf: [...kinds, one('Decline', ['message?', ...BESIDE], 'declined')] };
}

function answerProblems(operation: Operation): void {
  const { responses, 'x-problems': codes = [] } = operation;
  for (const [status, response] of Object.entries(responses))
    if (response.description === SAID) response.description = USUAL[status] ?? 'Done.';
  for (const [status, texts] of byStatus(codes)) {
    const known = responses[status];
    const list = Object.entries(texts).map(([code, text]) => `- \`${code}\`: ${text}`);
    responses[status] = {
      ...known,
      description: [...(known ? [known.description] : []), ...list].join('\n'),
      ...(status === '429' || 'hub.overloaded' in texts ? { headers: RETRY_AFTER } : {}),
      content: { ...known?.content, 'application/problem+json': { schema: problemWith(Object.keys(texts)) } },
    };
  }
  delete operation['x-problems'];
}

function problemWith(codes: string[]): Json {
  return {
    allOf: [
      { $ref: `#/components/schemas/${readName(ProblemDocument)}` },
      { type: 'object', properties: { code: { description: 'Which problem it is.', enum: codes } } },
    ],
  };
}

function webhooks(): Record<string, { post: Json }> {
  const headers = Object.entries(WEBHOOKS.headers).map(([name, description]) => {
    return { in: 'header', name, description, required: true, schema: { type: 'string' } };
  });
  const one = ([type, { operationId, summary, description, body, examples }]: [
    string,
    (typeof WEBHOOKS.types)[keyof typeof WEBHOOKS.types],
  ]) => [
    type,
    {
      post: {
        operationId,
        summary,
        description,
        tags: ['Webhooks'],
        // They carry a signature in place of a credential.
        security: [],
        parameters: headers,
        requestBody: {
          required: true,
          description: 'The bytes that are signed.',
          content: {
            'application/json': { schema: { $ref: `#/components/schemas/${readName(body)}` }, example: examples[0] },
          },
        },
        responses: Object.fromEntries(
          Object.entries(WEBHOOKS.replies).map(([status, text]) => [status, { description: text }]),
        ),
      },
    },
  ];
  return Object.fromEntries(Object.entries(WEBHOOKS.types).map(one)) as Record<string, { post: Json }>;
}

function readName(schema: z.ZodType): string {
  return z.globalRegistry.get(schema)?.id ?? '';
}

/** One name for what is sent and replied alike, and no schema that nothing uses. */
function tidy(document: Document): Document {
  const { schemas } = document.components;
  const joined = new Map<string, string>();
  const twins = Object.keys(schemas).filter((name) => name.endsWith('Input') && name.slice(0, -5) in schemas);
  const same = new Set(twins);
  // Two are alike only if all that they name are: those that differ are taken out until nothing changes.
  for (let before = -1; before !== same.size;) {
    before = same.size;
    for (const name of same) {
      const text = JSON.stringify(schemas[name]).replace(REF, (all, to: string) =>
        same.has(to) ? refTo(to.slice(0, -5)) : all,
      );
      if (text !== JSON.stringify(schemas[name.slice(0, -5)])) same.delete(name);
    }
  }
  const asked = used(document, schemas);
  for (const name of twins) if (same.has(name) || !asked.has(name.slice(0, -5))) joined.set(name, name.slice(0, -5));
  for (const [from, to] of joined) if (!same.has(from)) schemas[to] = schemas[from] ?? {};
  const text = JSON.stringify(document)
    .replace(REF, (all, to: string) => (joined.has(to) ? refTo(joined.get(to) ?? '') : all))
    .replaceAll('[^\\\\p{Cc}]', NO_CONTROL)
    .replaceAll('\\\\P{Cc}', NO_CONTROL);
  const whole = JSON.parse(text) as Document;
  const usedNames = used(whole, whole.components.schemas);
  const named = Object.entries(whole.components.schemas).filter(([name]) => usedNames.has(name));
  whole.components.schemas = Object.fromEntries(named.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return whole;
}

const REF = /"#\/components\/schemas\/([^"]+)"/g;
/** As a regular expression without the flag "u" says it, which is how many tools read a pattern. */
const NO_CONTROL = String.raw`[^\\u0000-\\u001f\\u007f-\\u009f]`;
const refTo = (name: string): string => `"#/components/schemas/${name}"`;

/** The named schemas that calls and webhooks lead to. */
function used({ paths, webhooks }: Document, schemas: Record<string, Json>): Set<string> {
  const found = new Set<string>();
  const look = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part ?? null).matchAll(REF)) {
      if (found.has(name)) continue;
      found.add(name);
      look(schemas[name]);
    }
  };
  look(paths);
  look(webhooks);
  return found;
}
