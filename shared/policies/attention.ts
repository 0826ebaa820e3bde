import { z } from 'zod';
import { AskingSource } from '../history.ts';
import { Rule } from './rule.ts';

const count = z.int();

/** What became of what one person was asked: each inquiry counts once. */
export const Became = z.object({
  answered: count.describe('By me.'),
  declined: count.describe('By me.'),
  others: count.describe('Answered or declined by another person who was asked too.'),
  rule: count,
  yolo: count,
  decider: count,
  expired: count,
  withdrawn: count,
  open: count.describe('Still waiting.'),
});
export type Became = z.infer<typeof Became>;

/** `notified` counts for when the first of my devices was notified, `automatic` for when it was settled. */
const Bar = z.object({
  notified: count.describe('A push was accepted for one of my devices, or one of my pages showed it.'),
  automatic: count.describe('Settled by a rule, by YOLO or by a decider.'),
});
export type Bar = z.infer<typeof Bar>;

/** How long my answers took from when I was asked, in ms that are rounded down to what one would say. */
export const Took = z.object({ count, p25: count, median: count, p75: count, p90: count });
export type Took = z.infer<typeof Took>;

export const SourceAttention = z.object({
  source: AskingSource,
  asked: count,
  notified: count,
  became: Became,
  weekdays: z.array(Bar).length(7).describe('Sunday first.'),
  hours: z.array(Bar).length(24),
  took: Took.optional().describe('Absent: I answered nothing.'),
});
export type SourceAttention = z.infer<typeof SourceAttention>;

/** A rule that is not there yet, and how many of my decisions it would have spared me beside the ones before it. */
export const Offer = z.object({ rule: Rule, saved: count });
export type Offer = z.infer<typeof Offer>;

export const AttentionDays = z.enum(['7', '30']);
export type AttentionDays = z.infer<typeof AttentionDays>;

/** How much one person was asked, when, and what of it went without them, in their time zone. */
export const Attention = z.object({
  timeZone: z.string(),
  since: z
    .string()
    .describe('What was asked from here on counts: the begin of a day, or later where that is too much.'),
  sources: z.array(SourceAttention).describe('Those that notified me most first.'),
  kinds: z
    .array(Took.extend({ kind: z.enum(['actions', 'questions', 'document']) }))
    .describe('My answers by what was asked.'),
  automatic: z
    .array(z.object({ by: z.enum(['rule', 'yolo', 'decider']), label: z.string(), count }))
    .describe('What settled most without me, at most 20.'),
  expiredUnseen: count.describe('Of what expired: no device of mine was notified.'),
  offers: z.array(Offer).max(3).describe('Rules for my list: at least 5 decisions of mine agree, and none differs.'),
});
export type Attention = z.infer<typeof Attention>;
