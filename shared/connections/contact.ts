import { z } from 'zod';
import { Resolution } from '../answer.ts';
import { WebhookDelivery } from '../schemas/deliveries.ts';

export const Trouble = z
  .object({
    code: z
      .enum([
        'upstream.name_unknown',
        'upstream.refused',
        'upstream.timeout',
        'upstream.certificate',
        'upstream.no_tls',
        'upstream.unreachable',
        'upstream.broke_off',
        'upstream.redirect',
        'upstream.key_refused',
        'upstream.no_api',
        'upstream.unreadable',
        'upstream.status',
        'inbound.refused',
        'thread.unaskable',
        'thread.unanswered',
        'thread.no_room',
      ])
      .describe('What kind of trouble it is.'),
    detail: z.string().describe('What went wrong, in one sentence.'),
  })
  .meta({
    id: 'Trouble',
    description:
      "What went wrong between the hub and a platform: `code` for words in the reader's language, and one sentence.",
  });
export type Trouble = z.infer<typeof Trouble>;

const Concerned = z
  .object({
    id: z.string().describe('The id of the inquiry.'),
    key: z.string().optional().describe("The platform's own id."),
    text: z
      .string()
      .optional()
      .describe('What it asks; absent where another source asked it and the platform only shows it.'),
    outcome: Resolution.shape.outcome.optional().describe('How it ended; absent: it waits.'),
    answer: WebhookDelivery.pick({ state: true, attemptCount: true })
      .extend({
        at: z.string().optional().describe('When it was tried last.'),
        status: z.int().optional().describe('The HTTP status that came back; absent: none did.'),
        error: z.string().optional().describe('What went wrong, in one sentence.'),
      })
      .optional()
      .describe('How far its answer came.'),
  })
  .meta({ id: 'Concerned', description: 'An inquiry that a contact was about, and how far its answer came.' });

export const Contact = z
  .object({
    id: z.string().describe('Its id.'),
    at: z.string().describe('When it began.'),
    what: z.enum(['stream', 'request', 'check', 'webhook', 'thread']).describe('What went between the two.'),
    status: z.int().optional().describe("The platform's, or the hub's own where the platform gave none."),
    ms: z.number().describe('How long it took, in milliseconds.'),
    problem: Trouble.optional().describe('What went wrong.'),
    inquiries: z.array(Concerned).describe('The inquiries that it was about.'),
  })
  .meta({
    id: 'Contact',
    description: 'One contact with a platform, written down after its end: no body, header or token.',
  });
export type Contact = z.infer<typeof Contact>;

export const Check = z
  .object({
    ok: z.boolean().describe('True: the platform answered as it should.'),
    at: z.string().describe('When it was.'),
    status: z.int().optional().describe('The HTTP status that came back; absent: none did.'),
    ms: z.number().describe('How long it took, in milliseconds.'),
    code: z
      .union([Trouble.shape.code, z.enum(['upstream.ok', 'upstream.ok_without_key', 'upstream.nothing_to_call'])])
      .describe('What was found.'),
    detail: z.string().describe('One sentence.'),
  })
  .meta({ id: 'Check', description: 'What a live check found.' });
export type Check = z.infer<typeof Check>;
