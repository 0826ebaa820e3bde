import { z } from 'zod';
import type { Resolution } from '#shared/answer.ts';
import { faultsOf } from '#shared/faults.ts';
import { Ask } from '#shared/inquiry.ts';
import { JsonError, parseExact } from '#shared/json.ts';
import { AppError, type Fault } from '#shared/problem.ts';
import { askFaults } from '../../inquiries/check.ts';
import type { GateConfig } from '../config/store.ts';

/** So many questions of one upstream may wait for people at once: what comes beyond is a flood and no conversation. */
export const MOST_WAITING = 8;
/** So many may come in one stream, however quickly they are taken back or answered. */
export const MOST_OF_STREAM = 64;
/** What an upstream is told that asks more. */
export const TOO_MANY = `No more than ${MOST_WAITING} questions may wait for people at once here, nor ${MOST_OF_STREAM} come in one stream.`;
/** Why a call ends whose upstream wants what neither people nor, beside them, its client may give. */
export const NOT_FOR_PEOPLE = 'The MCP server asks its client for more than people can answer in its place.';

/** What `elicitation/create` is answered with. */
export type ElicitResult = { action: 'accept' | 'decline' | 'cancel'; content?: unknown };
/** Asks people one thing and waits. "gone": nobody is there to be told. Throws `AppError` 422 where it cannot be shown. */
export type Elicit = (params: unknown, signal: AbortSignal) => Promise<ElicitResult | 'gone'>;

/** The id of the one question that a form elicitation becomes. */
const FORM = 'form';

export type Elicitation = {
  gate: Pick<GateConfig, 'name' | 'to' | 'deadline'>;
  source: { id: string };
  /** The params of `elicitation/create`, or of one entry of `inputRequests`. */
  params: unknown;
  /** Who asks, as it calls itself. */
  agent?: string | undefined;
  language?: string | undefined;
};

const Form = z.looseObject({
  message: z.string(),
  requestedSchema: z.looseObject({
    type: z.literal('object'),
    properties: z.record(z.string(), z.unknown()).optional(),
  }),
});
const Url = z.looseObject({ message: z.string(), url: z.string() });

/**
 * The ask that puts an upstream's elicitation (MCP 2025-06-18 to 2026-07-28, form and URL mode) to
 * people: its schema verbatim as one form, or its address as one link. Throws 422 `elicitation.invalid`
 * with one sentence where it is malformed, too large, or its schema cannot be used; then nobody is asked.
 */
export async function askOfElicitation({ gate, source, params, agent, language }: Elicitation): Promise<Ask> {
  const { mode = 'form', ...given } = safe(params);
  const asked = mode === 'form' ? form(given) : mode === 'url' ? link(given) : refuse('mode must be "form" or "url".');
  const tag = Ask.shape.context.unwrap().shape.language.safeParse(language).data;
  const parsed = Ask.safeParse({
    ...asked,
    deadline: gate.deadline,
    ...(gate.to ? { to: gate.to } : {}),
    context: {
      ...(agent ? { agent: Array.from(agent).slice(0, 100).join('') } : {}),
      ...(tag === undefined ? {} : { language: tag }),
    },
  });
  const faults = parsed.success ? await askFaults(source.id, parsed.data) : faultsOf(parsed.error);
  if (!parsed.success || faults.length > 0) return refuse(sentenceOf(faults));
  return parsed.data;
}

function form(given: object): Partial<Ask> {
  const parsed = Form.safeParse(given);
  if (!parsed.success) return refuse(sentenceOf(faultsOf(parsed.error)));
  const { message, requestedSchema } = parsed.data;
  const prompt = message.trim() === '' ? 'Please fill this in.' : message;
  return { questions: [{ id: FORM, type: 'form', prompt, schema: requestedSchema }] };
}

function link(given: object): Partial<Ask> {
  const parsed = Url.safeParse(given);
  if (!parsed.success) return refuse(sentenceOf(faultsOf(parsed.error)));
  const { message, url } = parsed.data;
  return { ...(message.trim() === '' ? {} : { prompt: message }), link: { url, completes: 'self' } };
}

// What nests too deep or holds half a character could be stored nowhere and shown nowhere.
function safe(params: unknown): Record<string, unknown> {
  try {
    const given = parseExact(JSON.stringify(params) ?? 'null');
    return typeof given === 'object' && given !== null
      ? (given as Record<string, unknown>)
      : refuse('params are missing.');
  } catch (error) {
    if (error instanceof JsonError) return refuse(error.message);
    throw error;
  }
}

// The upstream knows its own names of members, not ours.
const NAMES: [ours: RegExp, theirs: string][] = [
  [/^\/questions\/0\/schema/, '/requestedSchema'],
  [/^\/(questions\/0\/)?prompt/, '/message'],
  [/^\/link\/url/, '/url'],
];

function sentenceOf(faults: Fault[]): string {
  const [first] = faults;
  if (!first) return 'it cannot be understood.';
  const named = NAMES.find(([ours]) => ours.test(first.path));
  const path = named ? first.path.replace(...named) : first.path;
  return `${path.slice(1)} ${first.message}.`;
}

function refuse(sentence: string): never {
  throw new AppError(422, 'elicitation.invalid', `This elicitation cannot be shown to anybody: ${sentence}`);
}

/** What people decided, in MCP's words: nobody's answer is a "cancel", never a "decline" (RES4). */
export function elicitResultOf(asked: Ask, { outcome, answer }: Resolution): ElicitResult {
  switch (outcome) {
    case 'answered':
      return asked.link ? { action: 'accept' } : { action: 'accept', content: answer?.values?.[FORM] ?? {} };
    case 'declined':
      return { action: 'decline' };
    case 'expired':
    case 'withdrawn':
      return { action: 'cancel' };
  }
}

/** What an upstream still needs before it can answer: `inputRequests` of an `input_required` result (MCP 2026-07-28), by their keys. */
export type Round = { inputRequests: Record<string, { params?: unknown }>; requestState?: string };

/** What an upstream still needs, where people can give it; undefined where it needs nothing. */
export function roundForPeople(result: unknown): Round | 'not for people' | undefined {
  const { resultType, inputRequests, requestState } = (result ?? {}) as Record<string, unknown>;
  const requests = Object.values(inputRequests ?? {});
  if (resultType !== 'input_required' || requests.length === 0) return undefined;
  const elicits = (request: unknown) => (request as { method?: unknown } | null)?.method === 'elicitation/create';
  if (!requests.every(elicits)) return 'not for people';
  return {
    inputRequests: inputRequests as Round['inputRequests'],
    ...(typeof requestState === 'string' ? { requestState } : {}),
  };
}

/**
 * Asks people all that one round asks, at the same time; the result is the `inputResponses` of the call's
 * next round. Throws as `elicit` does, once nothing of the round waits any more.
 */
export async function answerRound(
  { inputRequests }: Round,
  elicit: Elicit,
  given: AbortSignal,
): Promise<Record<string, ElicitResult> | 'gone'> {
  const requests = Object.entries(inputRequests);
  if (requests.length > MOST_WAITING) throw new AppError(422, 'elicitation.invalid', TOO_MANY);
  const others = new AbortController();
  const signal = AbortSignal.any([given, others.signal]);
  const answering = requests.map(async ([key, { params }]) => {
    try {
      return [key, await elicit(params, signal)] as const;
    } catch (error) {
      others.abort();
      throw error;
    }
  });
  const settled = await Promise.allSettled(answering);
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  const answers = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  if (answers.some(([, answer]) => answer === 'gone')) return 'gone';
  return Object.fromEntries(answers) as Record<string, ElicitResult>;
}
