import { z } from 'zod';
import { AnswerContent } from '#shared/answer.ts';
import { fault, toFaults } from '#shared/faults.ts';
import { answerFaults } from '#shared/fit.ts';
import type { Asked } from '#shared/inquiry.ts';
import { JsonError, parseExact } from '#shared/json.ts';
import type { Fault } from '#shared/problem.ts';
import { withSchemaFaults } from '../../../platform/json-schema/check.ts';

/** What a decider's reply says: an answer that fits, why it does not decide, or what is wrong with it. */
export type Read = { answer: AnswerContent } | { undecided: string } | { faults: Fault[] };

const Reply = z.strictObject({
  answer: z.strictObject(AnswerContent.shape).optional(),
  undecided: z.string().optional(),
});

/** Reads a reply, whatever it is. Throws only where its form's schema cannot be checked. */
export async function readReply(asked: Asked, text: string, deciderId: string): Promise<Read> {
  const value = parsed(text);
  if (value instanceof JsonError) return { faults: [fault('', 'answer.not_json', NOT_JSON[value.kind])] };
  const reply = Reply.safeParse(withoutNulls(value));
  if (!reply.success) return { faults: toFaults(reply.error) };
  const { answer, undecided } = reply.data;
  if (!answer) {
    if (undecided?.trim()) return { undecided: undecided.trim() };
    return { faults: [fault('/answer', 'answer.missing', 'is missing')] };
  }
  const faults = await withSchemaFaults(deciderId, (schemaFaults) => answerFaults(asked, answer, { schemaFaults }));
  return faults.length > 0 ? { faults } : { answer };
}

const NOT_JSON = {
  malformed: 'is not JSON, or nests too deep',
  unsafe: 'holds a member twice or "__proto__", U+0000 or half a character',
};

// Models that are asked in words alone put one fence around what they return.
const FENCED = /^\s*```(?:json)?\s*\n([^]*?)\n\s*```\s*$/;

function parsed(text: string): unknown {
  try {
    return parseExact(FENCED.exec(text)?.[1] ?? text);
  } catch (error) {
    return error instanceof JsonError ? error : new JsonError('malformed', 'is not JSON');
  }
}

/** A strict schema has each member required, and null for one that is not there; within a form null stays. */
function withoutNulls(value: unknown): unknown {
  const reply = present(value);
  if (!isObject(reply) || !isObject(reply['answer'])) return reply;
  const answer = present(reply['answer']) as Record<string, unknown>;
  for (const member of ['values', 'other']) if (member in answer) answer[member] = present(answer[member]);
  if (Array.isArray(answer['decisions'])) answer['decisions'] = answer['decisions'].map(present);
  return { ...reply, answer };
}

function present(value: unknown): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null)) : value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
