import { z } from 'zod';
import { Ask, Context } from '#shared/inquiry.ts';
import { WebhookUrl } from '#shared/schemas/values.ts';

const list = (value: unknown) =>
  value === undefined ? value : [value].flat().flatMap((one) => (typeof one === 'string' ? one.split(',') : [one]));
const seconds = (value: unknown) => (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value);

/** What the address of an ask may say. */
export const AskQuery = z
  .strictObject({
    to: z.preprocess(list, Ask.shape.to).describe('Whom to ask: handles, with commas between them.'),
    deadline: z.preprocess(seconds, Ask.shape.deadline).describe('Seconds from now, or an instant.'),
    urgency: Ask.shape.urgency,
    privacy: Ask.shape.privacy,
    title: Ask.shape.title,
    agent: Context.shape.agent,
    language: Context.shape.language,
    wait: z
      .literal('0', {
        error: 'takes only 0, which replies at once; without it the call waits until people have decided',
      })
      .optional()
      .describe('`0`: reply at once with 202; absent: wait until people have decided.'),
    callback: WebhookUrl.optional().describe('Where the webhook of this ask goes, beside that of its source.'),
    answer: z.enum(['text', 'confirm']).optional().describe('What a bare interrupt with an object is answered with.'),
  })
  .superRefine((query, context) => {
    for (const [name, value] of Object.entries(query))
      if (String(value).includes('\u0000')) context.addIssue({ code: 'custom', path: [name], message: 'holds U+0000' });
  });
export type AskQuery = z.infer<typeof AskQuery>;
