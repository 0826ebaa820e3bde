import { z } from 'zod';
import { Ask } from '#shared/inquiry.ts';
import { Context } from '#shared/schemas/context.ts';
import { WebhookUrl } from '#shared/schemas/values.ts';
import { Waiting } from '../platform/http/params.ts';
import { toSeconds } from '../platform/http/wait.ts';

const list = (value: unknown) =>
  value === undefined ? value : [value].flat().flatMap((one) => (typeof one === 'string' ? one.split(',') : [one]));

/** What the address of an ask may say. */
export const AskQuery = z
  .strictObject({
    to: z.preprocess(list, Ask.shape.to).describe('Whom to ask: handles, with commas between them.'),
    deadline: z.preprocess(toSeconds, Ask.shape.deadline).describe('Seconds from now, or an instant.'),
    validFor: z.preprocess(toSeconds, Ask.shape.validFor).describe('Seconds for which an approved call may be run.'),
    urgency: Ask.shape.urgency,
    privacy: Ask.shape.privacy,
    title: Ask.shape.title,
    agent: Context.shape.agent,
    language: Context.shape.language,
    wait: Waiting.shape.wait.describe(
      'Seconds after which 202 is the reply where people have not decided; 0: at once; absent: wait until they have.',
    ),
    callback: WebhookUrl.optional().describe('Where the webhook of this ask goes, beside that of its source.'),
    answer: z.enum(['text', 'confirm']).optional().describe('What a bare interrupt with an object is answered with.'),
  })
  .superRefine((query, context) => {
    for (const [name, value] of Object.entries(query))
      if (String(value).includes('\u0000')) context.addIssue({ code: 'custom', path: [name], message: 'holds U+0000' });
  });
export type AskQuery = z.infer<typeof AskQuery>;
