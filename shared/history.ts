import { z } from 'zod';
import { Resolution } from './answer.ts';
import { idPattern } from './ids.ts';
import { named } from './schemas/values.ts';

const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

export const HistoryFilter = z
  .object({
    q: z
      .string()
      .max(200)
      .regex(/^[^\p{Cc}]*$/u, 'holds a control character')
      .describe('Words that all stand somewhere in what was asked, what was answered, or who did.'),
    outcome: Resolution.shape.outcome.describe('How it ended.'),
    source: z
      .string()
      .regex(idPattern('src'), 'is not the id of a source')
      .describe('The id of the source that asked.'),
    after: moment.describe('Settled at this moment or later.'),
    before: moment.describe('Settled before this moment.'),
    by: z
      .enum(['me', 'rule', 'decider'])
      .describe('Decided by this person on any of their devices, or by a rule or a decider, or by a decider.'),
    rule: z
      .string()
      .regex(/^(rul|yol)_[0-9a-z]{26}$/, 'is not the id of a rule')
      .describe('Settled by the rule, or by the YOLO, with this id.'),
    late: z.literal('true').describe('`true`: only what has an answer that came late.'),
  })
  .partial()
  .meta({ id: 'HistoryFilter', description: 'What of the history is wanted; every member narrows it further.' });
export type HistoryFilter = z.infer<typeof HistoryFilter>;

const DecisionType = z.enum(['approve', 'edit', 'reject', 'respond']).describe('What was decided.');

export const Earlier = z
  .object({
    id: z.string().describe('Its id.'),
    title: z.string().describe('The one line it is shown under.'),
    openedAt: z.string().describe('When it was asked.'),
    resolution: Resolution.omit({ answer: true }).optional().describe('Absent: it still waits.'),
    decisions: z
      .array(z.object({ type: DecisionType, message: z.string().optional().describe('Words with it.') }))
      .optional()
      .describe('What was decided of each of its calls, in order.'),
  })
  .meta({ id: 'Earlier', description: 'An inquiry that was asked earlier, as far as it helps to decide another.' });
export type Earlier = z.infer<typeof Earlier>;

export const InquiryContext = z
  .object({
    run: z
      .array(Earlier)
      .describe('Asked before by the same source in the same run or thread, newest first, at most five.'),
    last: Earlier.extend({
      decided: DecisionType.optional().describe('What was decided of all of them, where it was one thing.'),
    })
      .optional()
      .describe(
        'The last one of this source that this person decided and that called the very same tools with equal arguments.',
      ),
    decider: named('decider').optional().describe("Who may decide this in a person's place when somebody asks for it."),
  })
  .meta({
    id: 'InquiryContext',
    description: 'What helps to decide one inquiry: only of what this person was asked, and never a secret.',
  });
export type InquiryContext = z.infer<typeof InquiryContext>;

export const AskingSource = named('source').meta({ id: 'AskingSource', description: 'A source, by its name.' });
export type AskingSource = z.infer<typeof AskingSource>;
