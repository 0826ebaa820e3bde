import { z } from 'zod';
import { faultsOf } from '#shared/faults.ts';
import { Ask } from '#shared/inquiry.ts';
import { JsonError, parseExact } from '#shared/json.ts';
import { AppError, type Fault } from '#shared/problem.ts';
import { askFaults } from '../../inquiries/check.ts';
import type { GateConfig } from '../gates.ts';

/** The id of the one question that a form elicitation becomes. */
export const FORM = 'form';

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
