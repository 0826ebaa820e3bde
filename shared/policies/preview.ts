import { z } from 'zod';
import { Resolution } from '../answer.ts';
import { Rules } from './rule.ts';

export const PreviewPolicies = z.strictObject({
  of: z
    .enum(['me', 'hub'])
    .default('me')
    .describe('As rules of mine, for what I alone was asked, or as rules of the hub, for all that I was asked.'),
  rules: Rules.describe('One rule or a whole list.'),
});
export type PreviewPolicies = z.infer<typeof PreviewPolicies>;

const Outcome = Resolution.pick({ outcome: true, text: true });

export const Previewed = z
  .object({
    inquiryId: z.string().describe('The id of the inquiry.'),
    title: z.string().describe('One line, to show.'),
    openedAt: z.string().describe('When it was asked.'),
    rule: z.string().optional().describe('The rule, by its name; absent where its calls have different ones.'),
    would: Outcome.optional().describe('What it would have made of it; absent: people would have been asked.'),
    did: Outcome.extend({ by: Resolution.shape.by }).describe('What became of it.'),
    differs: z.boolean().describe('The rule would have settled it in another way.'),
  })
  .meta({ id: 'Previewed', description: 'What rules would have made of one inquiry; only where one of them fits.' });
export type Previewed = z.infer<typeof Previewed>;

const Refused = z.object({
  path: z.string().describe('Where: a JSON Pointer (RFC 6901) that begins with /rules.'),
  code: z.string().describe('What kind of fault it is; more may come.'),
  message: z.string().describe('What is wrong, as the rest of a sentence that begins with the path.'),
});

export const Near = z
  .object({
    ids: z.array(z.string()).describe('The ids of those calls, the newest first.'),
    shell: z
      .array(z.string())
      .describe('In place of when.shell, so that the rule approves them too: each is one command, word for word.'),
    alike: z
      .object({
        words: z.array(z.string()).describe('One of these commands, by its words.'),
        at: z.int().describe('The place of the word in which they differ.'),
        values: z.array(z.string()).describe('What stands in that place.'),
      })
      .describe('What they have in common.'),
  })
  .meta({
    id: 'Near',
    description: 'Calls that I approved, that a rule does not fit and that differ from each other in one word only.',
  });
export type Near = z.infer<typeof Near>;

export const Preview = z
  .object({
    looked: z.int().describe('So many resolved inquiries were looked through, the newest.'),
    items: z.array(Previewed).describe('Those that a rule fits.'),
    near: Near.optional().describe('Of one rule that approves commands: what it nearly fits.'),
    faults: z
      .array(Refused)
      .describe('Why these rules would not be saved, but for what their schema says; empty: they would.'),
    waiting: z
      .array(z.object({ id: z.string().describe('Its id.'), title: z.string().describe('One line, to show.') }))
      .describe('What waits for me now and these rules would settle, the newest first, at most 200.'),
  })
  .meta({ id: 'Preview', description: '`looked`: so many resolved inquiries were looked through, the newest.' });
export type Preview = z.infer<typeof Preview>;
