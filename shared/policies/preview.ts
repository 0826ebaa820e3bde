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

export const Preview = z
  .object({
    looked: z.int().describe('So many resolved inquiries were looked through, the newest.'),
    items: z.array(Previewed).describe('Those that a rule fits.'),
  })
  .meta({ id: 'Preview', description: '`looked`: so many resolved inquiries were looked through, the newest.' });
export type Preview = z.infer<typeof Preview>;
