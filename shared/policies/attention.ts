import { z } from 'zod';
import { AskingSource } from '../history.ts';
import { Rule } from './rule.ts';

const count = z.int().describe('How many.');

export const Became = z
  .object({
    answered: count.describe('By me.'),
    declined: count.describe('By me.'),
    others: count.describe('Answered or declined by another person who was asked too.'),
    rule: count.describe('Settled by a rule.'),
    yolo: count.describe('Settled by YOLO.'),
    decider: count.describe('Settled by a decider.'),
    expired: count.describe('Nobody answered in time.'),
    withdrawn: count.describe('Its source took it back.'),
    open: count.describe('Still waiting.'),
  })
  .meta({ id: 'Became', description: 'What became of what one person was asked: each inquiry counts once.' });
export type Became = z.infer<typeof Became>;

const Bar = z
  .object({
    asked: count.describe('I was asked: all but what was settled by a rule, by YOLO or by a decider.'),
    notified: count.describe('A push was accepted for one of my devices, or one of my pages showed it.'),
    automatic: count.describe('Settled by a rule, by YOLO or by a decider.'),
  })
  .meta({
    id: 'Bar',
    description:
      '`asked` counts for when it was asked, `notified` for when the first of my devices was notified, `automatic` for when it was settled.',
  });
export type Bar = z.infer<typeof Bar>;

export const Took = z
  .object({
    count,
    p25: count.describe('A quarter took at most this long.'),
    median: count.describe('Half took at most this long.'),
    p75: count.describe('Three quarters took at most this long.'),
    p90: count.describe('Nine in ten took at most this long.'),
  })
  .meta({
    id: 'Took',
    description: 'How long my answers took from when I was asked, in ms that are rounded down to what one would say.',
  });
export type Took = z.infer<typeof Took>;

export const SourceAttention = z.object({
  source: AskingSource,
  asked: count.describe('What it asked.'),
  notified: count.describe('For how many of them a device of mine was notified.'),
  became: Became.describe('What became of them.'),
  weekdays: z.array(Bar).length(7).describe('Sunday first.'),
  hours: z.array(Bar).length(24).describe('By hour of the day, from 0.'),
  took: Took.optional().describe('Absent: I answered nothing.'),
});
export type SourceAttention = z.infer<typeof SourceAttention>;

export const Offer = z
  .object({
    id: z
      .string()
      .describe('The same for the same rule under any name; in `preferences.putOff` it is offered no more.'),
    rule: Rule.describe('The rule.'),
    saved: count.describe('Decisions it would have spared me.'),
  })
  .meta({
    id: 'Offer',
    description:
      'A rule that is not there yet, and how many of my decisions it would have spared me beside the ones before it.',
  });
export type Offer = z.infer<typeof Offer>;

export const AttentionDays = z.enum(['7', '30']).describe('How many days, ending today.');
export type AttentionDays = z.infer<typeof AttentionDays>;

export const Attention = z
  .object({
    timeZone: z.string().describe('In which time zone days and hours are counted.'),
    since: z
      .string()
      .describe('What was asked from here on counts: the begin of a day, or later where that is too much.'),
    sources: z.array(SourceAttention).describe('Those that notified me most first.'),
    kinds: z
      .array(Took.extend({ kind: z.enum(['actions', 'questions', 'document']).describe('What was asked.') }))
      .describe('My answers by what was asked.'),
    automatic: z
      .array(
        z.object({
          by: z.enum(['rule', 'yolo', 'decider']).describe('What settled it.'),
          label: z.string().describe('Its name.'),
          count,
          lastAt: z.string().describe('When it settled the last of them.'),
        }),
      )
      .describe('What settled most without me, at most 20.'),
    expiredUnseen: count.describe('Of what expired: no device of mine was notified.'),
    offers: z.array(Offer).max(3).describe('Rules for my list: at least 5 decisions of mine agree, and none differs.'),
  })
  .meta({
    id: 'Attention',
    description: 'How much one person was asked, when, and what of it went without them, in their time zone.',
  });
export type Attention = z.infer<typeof Attention>;
