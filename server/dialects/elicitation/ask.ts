import { toFaults } from '#shared/faults.ts';
import { Ask } from '#shared/inquiry.ts';
import { JsonError, parseExact } from '#shared/json.ts';
import { AppError, type Fault } from '#shared/problem.ts';
import { askFaults } from '../../inquiries/check.ts';
import { withSchemaFaults } from '../../platform/json-schema/check.ts';
import type { Part } from '../dialect.ts';
import { partOf } from './read.ts';

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
export async function askOfElicitation({ gate, source, params, agent, language }: Elicitation): Promise<Ask> {
  const { ask, places } = read(params);
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
function read(params: unknown): Part {
  try {
    return partOf(parseExact(JSON.stringify(params) ?? 'null'));
  } catch (error) {
    if (error instanceof JsonError) return refuse([{ path: '', code: 'json', message: error.message }]);
    if (error instanceof AppError) return refuse(error.faults ?? []);
    throw error;
  }
}

function refuse([first]: Fault[], places: Part['places'] = []): never {
  const sentence = first ? sentenceOf(first, places) : 'it cannot be understood.';
  throw new AppError(422, 'elicitation.invalid', `This elicitation cannot be shown to anybody: ${sentence}`);
}

// The upstream knows its own names of members, not ours.
function sentenceOf({ path, message }: Fault, places: Part['places']): string {
  if (path === '') return message.endsWith('.') ? message : `its params ${message}.`;
  const [ours = '', theirs = ''] = places.find(([ours]) => path.startsWith(ours)) ?? [];
  return `${(theirs + path.slice(ours.length)).slice(1)} ${message}.`;
}
