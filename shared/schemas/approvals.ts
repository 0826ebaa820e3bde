import { z } from 'zod';
import { ByPerson } from '../answer.ts';
import { num } from './values.ts';

/** How many people have to approve (APR4). */
export const Approvals = z
  .strictObject({ count: num(z.int().min(2).max(5)).describe('How many different people, 2 to 5.') })
  .describe(
    'With actions: so many different people have to approve the same calls before any may run. The first no ends it, and whoever edits a call starts anew.',
  );
export type Approvals = z.infer<typeof Approvals>;

/** One person's yes, of several that are wanted. */
export const Hand = z.object({
  by: ByPerson.extend({ personId: z.string().describe('The id of the person.') }).describe('Who approved it.'),
  at: z.string().describe('When they did.'),
});
export type Hand = z.infer<typeof Hand>;
export const Hands = z
  .array(Hand)
  .describe('Who has approved it so far, where `approvals` wants several people, in order.');
