import { z } from 'zod';
import type { Json } from './json.ts';

/** Any JSON value, kept verbatim. */
export const JsonValue = z
  .unknown()
  .refine((value) => value !== undefined, 'is required') as unknown as z.ZodType<Json>;
const words = z.string().max(65_536);

export const Decision = z.discriminatedUnion('type', [
  z.object({ type: z.literal('approve'), optionId: z.string().optional() }),
  z.object({
    type: z.literal('edit'),
    args: JsonValue.optional(),
    /** Instead of `args`: their exact JSON text, for a device whose numbers are doubles. */
    argsText: z.string().optional(),
  }),
  z.object({ type: z.literal('reject'), message: words.optional(), optionId: z.string().optional() }),
  z.object({ type: z.literal('respond'), message: words.min(1) }),
]);
export type Decision = z.infer<typeof Decision>;

export const AnswerContent = z.object({
  text: z.string().optional(),
  values: z.record(z.string(), z.unknown()).optional(),
  other: z.record(z.string(), z.string()).optional(),
  decisions: z.array(Decision).optional(),
  markdown: z.string().optional(),
});
export type AnswerContent = z.infer<typeof AnswerContent>;

export const By = z.union([
  z.object({
    kind: z.literal('person'),
    handle: z.string(),
    device: z.object({ id: z.string(), name: z.string() }),
    via: z.enum(['live', 'http', 'notification', 'mcp']),
  }),
  /** A rule, by its name and by what it said then. */
  z.object({ kind: z.literal('policy'), label: z.string(), ruleId: z.string() }),
  /** A decider, by its name; with the rule or the YOLO that let it decide. */
  z.object({ kind: z.literal('decider'), label: z.string(), deciderId: z.string(), ruleId: z.string().optional() }),
  z.object({ kind: z.enum(['deadline', 'source']), label: z.string() }),
]);
export type By = z.infer<typeof By>;

/** The one final state of an inquiry. */
export const Resolution = z.object({
  outcome: z.enum(['answered', 'declined', 'expired', 'withdrawn']),
  at: z.string(),
  answer: AnswerContent.optional(),
  message: z.string().optional(),
  /** The same as plain words, for an agent that only wants a string. */
  text: z.string(),
  /** Where a rule or a decider decided: the words that say so, which stand in `text` too. */
  note: z.string().optional(),
  by: By,
});
export type Resolution = z.infer<typeof Resolution>;

export const LateAnswer = z.object({ at: z.string(), by: By, answer: AnswerContent, text: z.string() });
export type LateAnswer = z.infer<typeof LateAnswer>;

/** What a device sends, over HTTP and live alike; unknown members are ignored. */
export const AnswerBody = z.object({
  ...AnswerContent.shape,
  /** Makes the call repeatable: the same id gets the first reply again. */
  answerId: z.string().min(1).max(100).optional(),
  digest: z.string().optional(),
  outcome: z.enum(['answered', 'declined']).optional(),
  message: words.optional(),
  /** Shorthand: the answer as one text. */
  response: z.string().optional(),
  late: z.boolean().optional(),
  via: z.literal('notification').optional(),
});
export type AnswerBody = z.infer<typeof AnswerBody>;

/** What every answer is told, a loser included. */
export const AnswerReply = z.object({ won: z.boolean(), resolution: Resolution });
export type AnswerReply = z.infer<typeof AnswerReply>;
