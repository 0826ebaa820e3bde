import { z } from 'zod';
import { Allowed, type Action } from '#shared/inquiry.ts';
import type { Json } from '#shared/json.ts';
import type { Language } from '#shared/texts/language.ts';
import { type Part, toParts } from '../dialect.ts';
import { isObject, type Checks, toJsonBlock } from '../body.ts';
import { definitions, objectSchema, propertiesOf, type Schema } from '../schema.ts';

/** In which names the middleware asked, and so how an edit has to be written: any other breaks the thread for good. */
export type Names = 'js' | 'python' | 'both';

/** How one interrupt is answered. */
export type Form =
  | { as: 'batch' | 'call'; names: Names }
  | { as: 'form'; wrapped: boolean }
  | { as: 'inbox' | 'text' | 'confirm' };

/** One interrupt, with the number of its inquiries; one HITL request that stands alone has no id. */
export type Kept = Form & { id?: string | undefined; parts: number };

export type Asked = { parts: Part[]; form: Form };

const Call = z.object({
  name: z.string(),
  args: z.unknown(),
  description: z.string().nullish(),
});

/** One call, asked by itself; its schema has a branch for each decision that may be taken. */
export function readCall(value: Schema, schema: Schema, at: string, checks: Checks): Asked | undefined {
  const call = checks.read(Call, value, `${at}/value`);
  const branches = readBranches(schema);
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
  const places = { argsSchema: `${at}/response_schema` };
  return { parts: toParts([{ action, at: `${at}/value`, places }]), form: { as: 'call', names } };
}

const TYPES = new Set<string>(['approve', 'edit', 'reject', 'respond']);

/** The branches of a schema by the value that their member "type" has to have. */
function readBranches(schema: Schema): Map<string, Schema> {
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

const Request = z.object({
  action_request: z.object({ action: z.string(), args: z.unknown() }),
  config: z.object({
    allow_accept: z.boolean().nullish(),
    allow_edit: z.boolean().nullish(),
    allow_ignore: z.boolean().nullish(),
    allow_respond: z.boolean().nullish(),
  }),
  description: z.string().nullish(),
});

/** True for the `HumanInterrupt` of Agent Inbox, alone or as the one entry of a list. */
export function isInbox(value: unknown): boolean {
  const request: unknown = Array.isArray(value) ? value[0] : value;
  return isObject(request) && isObject(request['action_request']);
}

export function readInbox(value: unknown, at: string, checks: Checks): Asked | undefined {
  if (Array.isArray(value) && value.length > 1)
    return checks.refuse(`${at}/1`, 'langgraph.inbox', 'is a second request; interrupt with one at a time');
  const place = Array.isArray(value) ? `${at}/0` : at;
  const request = checks.read(Request, Array.isArray(value) ? value[0] : value, place);
  if (!request) return undefined;
  const { action_request, config, description } = request;
  const allowed = [
    ...(config.allow_accept ? (['approve'] as const) : []),
    ...(config.allow_edit ? (['edit'] as const) : []),
    ...(config.allow_ignore ? (['reject'] as const) : []),
    ...(config.allow_respond ? (['respond'] as const) : []),
  ];
  if (allowed.length === 0) return checks.refuse(`${place}/config`, 'langgraph.inbox', 'allows nothing');
  const action = {
    name: action_request.action,
    args: action_request.args as Json,
    ...(description?.trim() ? { description } : {}),
    ...(allowed.includes('edit') ? { argsSchema: objectSchema() } : {}),
    allowed,
  };
  const places = {
    name: `${place}/action_request/action`,
    ...('description' in action ? { description: `${place}/description` } : {}),
  };
  return { parts: toParts([{ action, at: `${place}/action_request`, places }]), form: { as: 'inbox' } };
}

/** What a person reads of an interrupt's value: a text as it is, else its question with the whole value below. */
export function toPrompt(value: unknown, language: Language): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  return `${toLead(value, language)}\n\n${toJsonBlock(value)}`;
}

/** The question in an interrupt's value, or a line that says that there is one. */
export function toLead(value: unknown, language: Language): string {
  const lead =
    typeof value === 'string' ? value : isObject(value) ? (value['question'] ?? value['message']) : undefined;
  return typeof lead === 'string' && lead.trim() !== '' ? lead : ASKS[language];
}

const ASKS = { en: 'The agent asks about this:', zh: '智能体就此提问：' };

const GENERATED = ['Tool execution requires approval', 'Tool execution pending approval'];

/** The description without what LangChain generates of the call itself, which the person sees anyway. */
export function describe(description: string | null | undefined, name: string): string | undefined {
  const [text = ''] = (description ?? '').split(`\n\nTool: ${name}\nArgs: `);
  return text.trim() === '' || GENERATED.includes(text) ? undefined : text;
}
