import { z } from 'zod';
import type { Json } from './json.ts';
import { named } from './schemas/values.ts';

/** Any JSON value, kept verbatim. */
export const JsonValue = z
  .unknown()
  .refine((value) => value !== undefined, 'is required') as unknown as z.ZodType<Json>;
const words = z.string().max(65_536);
const WORDS = 'With reject: why. With respond: what the model gets in place of the result.';

const DECISION = 'approve, edit (with args), reject (with message) or respond (with message).';
const type = <Word extends string>(word: Word) => z.literal(word).describe(DECISION);
const optionId = z.string().optional().describe('Where the action has options: the chosen one.');

export const Decision = z
  .discriminatedUnion('type', [
    z.object({ type: type('approve'), optionId }),
    z.object({
      type: type('edit'),
      args: JsonValue.optional().describe('With edit: the arguments to call the tool with instead.'),
      argsText: z
        .string()
        .optional()
        .describe('With edit, in place of args: their exact JSON text, where a double would change a number.'),
    }),
    z.object({ type: type('reject'), message: words.optional().describe(WORDS), optionId }),
    z.object({ type: type('respond'), message: words.min(1).describe(WORDS) }),
  ])
  .meta({ id: 'Decision', description: 'What a person decided about one action.' });
export type Decision = z.infer<typeof Decision>;

export const AnswerContent = z
  .object({
    text: z.string().optional().describe('The answer to a prompt alone.'),
    values: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Answers by question id: a text, the value of an option, a list of values, or an object for a form.'),
    other: z
      .record(z.string(), z.string())
      .optional()
      .describe('Own words by question id, where a question allows other answers.'),
    decisions: z.array(Decision).optional().describe('One decision for each action, in order.'),
    markdown: z.string().optional().describe('The edited document.'),
  })
  .meta({
    id: 'AnswerContent',
    description: 'What a person said: the member that fits what was asked, values and other together.',
    examples: [{ values: { env: 'staging' } }, { decisions: [{ type: 'reject', message: 'Not on a Friday.' }] }],
  });
export type AnswerContent = z.infer<typeof AnswerContent>;

const kind = <Words extends string>(...kinds: [Words, ...Words[]]) =>
  z
    .enum(kinds)
    .describe('Who or what decided: a person, a rule (policy), a decider, the deadline, or the source itself.');
const label = z.string().describe('Its name, to show.');

export const ByPerson = z.object({
  kind: kind('person'),
  handle: z.string().describe('The handle of the person.'),
  device: named('device').describe('The device they answered on.'),
  via: z
    .enum(['live', 'http', 'notification', 'mcp'])
    .describe('By which way: an open page, a plain call, a button of a notification, or a tool.'),
  amr: z
    .array(z.string())
    .optional()
    .describe(
      'How the person showed that it is them (RFC 8176): hwk or swk for a passkey, which stays in one device or is copied to others, otp for a printed code; and user.',
    ),
});
export type ByPerson = z.infer<typeof ByPerson>;

export const By = z
  .union([
    ByPerson,
    z.object({
      kind: kind('policy'),
      label,
      ruleId: z.string().describe('The rule as it was worded then, or the time of YOLO.'),
    }),
    z.object({
      kind: kind('decider'),
      label,
      deciderId: z.string().describe('The id of the decider.'),
      ruleId: z.string().optional().describe('The rule, or the time of YOLO, that let it decide.'),
    }),
    z.object({ kind: kind('deadline', 'source'), label }),
  ])
  .meta({ id: 'By', description: 'Who or what resolved an inquiry, or answered it.' });
export type By = z.infer<typeof By>;

export const Resolution = z
  .object({
    outcome: z
      .enum(['answered', 'declined', 'expired', 'withdrawn'])
      .describe('How it ended. Only "answered" holds an answer; none of the others is ever a yes.'),
    at: z.string().describe('When it was resolved.'),
    validUntil: z
      .string()
      .optional()
      .describe('With an approved or edited call: from this instant on it may not be run. It never moves.'),
    answer: AnswerContent.optional().describe('The answer as it was given.'),
    message: z.string().optional().describe('Words with a decline or a withdrawal.'),
    text: z.string().describe('The same as plain words, for an agent that only wants a string.'),
    note: z
      .string()
      .optional()
      .describe('Where a rule or a decider decided: the words that say so, which stand in text too.'),
    by: By.describe('Who or what resolved it.'),
  })
  .meta({ id: 'Resolution', description: 'The one final state of an inquiry.' });
export type Resolution = z.infer<typeof Resolution>;

export const LateAnswer = z
  .object({
    at: z.string().describe('When it came.'),
    by: By.describe('Who gave it.'),
    answer: AnswerContent.describe('What was answered.'),
    text: z.string().describe('The same as plain words.'),
  })
  .meta({
    id: 'LateAnswer',
    description: 'An answer that came when the inquiry was resolved already; it changed nothing.',
  });
export type LateAnswer = z.infer<typeof LateAnswer>;

/** What a device sends, over HTTP and live alike; unknown members are ignored. */
export const AnswerBody = z
  .object({
    ...AnswerContent.shape,
    answerId: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('Makes the call repeatable: the same id gets the first reply again.'),
    digest: z.string().optional().describe('Of the inquiry as it was shown to the person; needed with decisions.'),
    outcome: z.enum(['answered', 'declined']).optional().describe('answered (default) or declined.'),
    message: words.optional().describe('With a decline: why.'),
    response: z
      .string()
      .optional()
      .describe(
        'The answer as one text: for a free question, a document, or one text or choice question (value or label).',
      ),
    assertion: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Where a passkey is wanted: what the browser returned of signing this answer, as JSON.'),
    code: z.string().max(100).optional().describe('A printed code, in place of a passkey.'),
    late: z.boolean().optional().describe('True: send it although it is resolved; it is kept as a late answer.'),
    via: z.literal('notification').optional().describe('A button of a notification was pressed.'),
  })
  .meta({
    id: 'AnswerBody',
    description:
      'An answer or a decline. At least one known member has to be there; unknown members beside it are ignored.',
    examples: [{ response: 'Ship it' }, { outcome: 'declined', message: 'Ask me on Monday.' }],
  });
export type AnswerBody = z.infer<typeof AnswerBody>;

/** What every answer is told, a loser included. */
export const AnswerReply = z
  .object({
    won: z.boolean().describe('True: this answer resolved the inquiry. False: it was resolved already.'),
    resolution: Resolution.describe('How it is resolved, by whomever.'),
  })
  .meta({ id: 'AnswerReply', description: 'What became of an answer.' });
export type AnswerReply = z.infer<typeof AnswerReply>;
