import { z } from 'zod';
import { Inquiry } from './inquiry.ts';

/** What a yes is told while further people have to approve too (APR4). */
export const HandReply = z
  .object({
    won: z.literal(false).describe('False: it is not resolved yet.'),
    inquiry: Inquiry.describe('How it stands now: `approved` of `approvals.count`.'),
  })
  .meta({ id: 'HandReply', description: 'An approval that counts, and others are wanted beside it.' });
export type HandReply = z.infer<typeof HandReply>;
