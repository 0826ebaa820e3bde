import { z } from 'zod';
import { Resolution } from './answer.ts';
import { idPattern } from './ids.ts';

const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

/** What of the history is wanted; every member narrows it further. */
export const HistoryFilter = z
  .object({
    /** Words that all stand somewhere in what was asked, what was answered, or who did. */
    q: z
      .string()
      .max(200)
      .regex(/^[^\p{Cc}]*$/u, 'holds a control character'),
    outcome: Resolution.shape.outcome,
    source: z.string().regex(idPattern('src'), 'is not the id of a source'),
    /** Settled at this moment or later. */
    after: moment,
    /** Settled before this moment. */
    before: moment,
    /** Decided by this person on any of their devices, or by a rule or a decider, or by a decider. */
    by: z.enum(['me', 'rule', 'decider']),
    /** Settled by the rule, or by the YOLO, with this id. */
    rule: z.string().regex(/^(rul|yol)_[0-9a-z]{26}$/, 'is not the id of a rule'),
    /** `true`: only what has an answer that came late. */
    late: z.literal('true'),
  })
  .partial();
export type HistoryFilter = z.infer<typeof HistoryFilter>;

/** An inquiry that was asked earlier, as far as it helps to decide another. */
export const Earlier = z.object({
  id: z.string(),
  title: z.string(),
  openedAt: z.string(),
  /** Absent: it still waits. */
  resolution: Resolution.omit({ answer: true }).optional(),
});
export type Earlier = z.infer<typeof Earlier>;

/** What helps to decide one inquiry: only of what this person was asked, and never a secret. */
export const InquiryContext = z.object({
  /** Asked before by the same source in the same run or thread, newest first, at most five. */
  run: z.array(Earlier),
  /** The last one of this source that this person decided and that called the very same tools with equal arguments. */
  last: Earlier.extend({
    /** What was decided of all of them, where it was one thing. */
    decided: z.enum(['approve', 'edit', 'reject', 'respond']).optional(),
  }).optional(),
  /** Who may decide this in a person's place when somebody asks for it. */
  decider: z.object({ id: z.string(), name: z.string() }).optional(),
});
export type InquiryContext = z.infer<typeof InquiryContext>;

export const AskingSource = z.object({ id: z.string(), name: z.string() });
export type AskingSource = z.infer<typeof AskingSource>;
