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

/** What rules would have made of one inquiry; only where one of them fits. */
export const Previewed = z.object({
  inquiryId: z.string(),
  title: z.string(),
  openedAt: z.string(),
  /** The rule, by its name; absent where its calls have different ones. */
  rule: z.string().optional(),
  /** What it would have made of it; absent: people would have been asked. */
  would: Outcome.optional(),
  /** What became of it. */
  did: Outcome.extend({ by: Resolution.shape.by }),
  /** The rule would have settled it in another way. */
  differs: z.boolean(),
});
export type Previewed = z.infer<typeof Previewed>;

/** `looked`: so many resolved inquiries were looked through, the newest. */
export const Preview = z.object({ looked: z.int(), items: z.array(Previewed) });
export type Preview = z.infer<typeof Preview>;
