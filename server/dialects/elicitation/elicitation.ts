import { z } from 'zod';
import { parseOrRefuse, toFaults } from '#shared/faults.ts';
import { JsonObject } from '#shared/schemas/values.ts';
import { Ask } from '#shared/inquiry.ts';
import { JsonError, parseExact } from '#shared/json.ts';
import { AppError, type Fault } from '#shared/problem.ts';
import type { Dialect, Part, Read, Answered } from '../dialect.ts';
import { askFaults } from '../../inquiries/check.ts';
import { withSchemaFaults } from '../../platform/json-schema/check.ts';

export const elicitation: Dialect = { name: 'elicitation', label: 'MCP', read, write };

/** The id of the one question that a form elicitation becomes. */
const FORM = 'form';

const Mode = z.looseObject({ mode: z.enum(['form', 'url']).default('form') });
const Form = z.looseObject({
  message: z.string(),
  requestedSchema: z.looseObject({
    type: z.literal('object'),
    properties: JsonObject.optional(),
  }),
});
const Url = z.looseObject({ message: z.string(), url: z.string() });
const Id = z.looseObject({ elicitationId: z.string().optional().catch(undefined) });

/** The params of MCP's `elicitation/create`, revisions 2025-06-18 to 2026-07-28. */
function read(body: unknown): Read {
  return { asks: [toPart(body)], ids: Id.parse(body).elicitationId ?? null, keep: null };
}

/** Its schema verbatim as one form, or its address as one link. Throws 422 where it is neither. */
export function toPart(params: unknown): Part {
  return parseOrRefuse(Mode, params).mode === 'form' ? form(params) : link(params);
}

function form(params: unknown): Part {
  const { message, requestedSchema } = parseOrRefuse(Form, params);
  const prompt = message.trim() === '' ? 'Please fill this in.' : message;
  return {
    ask: { questions: [{ id: FORM, type: 'form', prompt, schema: requestedSchema }] },
    places: [
      ['/questions/0/schema', '/requestedSchema'],
      ['/questions/0/prompt', '/message'],
    ],
  };
}

function link(params: unknown): Part {
  const { message, url } = parseOrRefuse(Url, params);
  return {
    ask: { ...(message.trim() === '' ? {} : { prompt: message }), link: { url, completes: 'self' } },
    places: [
      ['/link/url', '/url'],
      ['/prompt', '/message'],
    ],
  };
}

/** What `elicitation/create` is answered with. */
export type ElicitResult = { action: 'accept' | 'decline' | 'cancel'; content?: unknown };

/** MCP's words for what people decided: nobody's answer is a "cancel", never a "decline" (RES4). */
function write(_keep: unknown, [inquiry]: Answered[]): ElicitResult {
  return inquiry ? toElicitResult(inquiry) : { action: 'cancel' };
}

/** The same for one inquiry. */
export function toElicitResult({ link, resolution }: Pick<Answered, 'link' | 'resolution'>): ElicitResult {
  const { outcome, answer } = resolution;
  switch (outcome) {
    case 'answered':
      return link ? { action: 'accept' } : { action: 'accept', content: answer?.values?.[FORM] ?? {} };
    case 'declined':
      return { action: 'decline' };
    case 'expired':
    case 'withdrawn':
      return { action: 'cancel' };
  }
}

export type Elicitation = {
  gate: { to?: string[] | undefined; deadline: number };
  source: { id: string };
  /** The params of `elicitation/create`, or of one entry of `inputRequests`. */
  params: unknown;
  /** Who asks, as it calls itself. */
  agent?: string | undefined;
  language?: string | undefined;
};

/**
 * The ask that puts an upstream's elicitation (MCP 2025-06-18 to 2026-07-28, form and URL mode) to
 * people: its schema verbatim as one form, or its address as one link. Throws 422 `elicitation.invalid`
 * with one sentence where it is malformed, too large, or its schema cannot be used; then nobody is asked.
 */
export async function toAsk({ gate, source, params, agent, language }: Elicitation): Promise<Ask> {
  const { ask, places } = partOrRefuse(params);
  const tag = Ask.shape.context.unwrap().shape.language.safeParse(language).data;
  const parsed = Ask.safeParse({
    ...ask,
    deadline: gate.deadline,
    ...(gate.to ? { to: gate.to } : {}),
    context: {
      ...(agent ? { agent: Array.from(agent).slice(0, 100).join('') } : {}),
      ...(tag === undefined ? {} : { language: tag }),
    },
  });
  const faults = parsed.success
    ? await withSchemaFaults(source.id, (schemaFaults) => askFaults(parsed.data, schemaFaults))
    : toFaults(parsed.error);
  if (!parsed.success || faults.length > 0) return refuse(faults, places);
  return parsed.data;
}

// What nests too deep or holds half a character could be stored nowhere and shown nowhere.
function partOrRefuse(params: unknown): Part {
  try {
    return toPart(parseExact(JSON.stringify(params) ?? 'null'));
  } catch (error) {
    if (error instanceof JsonError) return refuse([{ path: '', code: 'json', message: error.message }]);
    if (error instanceof AppError) return refuse(error.faults ?? []);
    throw error;
  }
}

function refuse([first]: Fault[], places: Part['places'] = []): never {
  const sentence = first ? toSentence(first, places) : 'it cannot be understood.';
  throw new AppError(422, 'elicitation.invalid', `This elicitation cannot be shown to anybody: ${sentence}`);
}

// The upstream knows its own names of members, not ours.
function toSentence({ path, message }: Fault, places: Part['places']): string {
  if (path === '') return message.endsWith('.') ? message : `its params ${message}.`;
  const [ours = '', theirs = ''] = places.find(([ours]) => path.startsWith(ours)) ?? [];
  return `${(theirs + path.slice(ours.length)).slice(1)} ${message}.`;
}
