import { z } from 'zod';
import { Resolution } from '../answer.ts';
import { WebhookDelivery } from '../wire.ts';

/** What went wrong between the hub and a platform: `code` for words in the reader's language, and one sentence. */
export const Trouble = z.object({
  code: z.enum([
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
  ]),
  detail: z.string(),
});
export type Trouble = z.infer<typeof Trouble>;

/** An inquiry that a contact was about, and how far its answer came. */
const Concerned = z.object({
  id: z.string(),
  /** The platform's own id. */
  key: z.string().optional(),
  /** What it asks; absent where another source asked it and the platform only shows it. */
  text: z.string().optional(),
  outcome: Resolution.shape.outcome.optional(),
  answer: WebhookDelivery.pick({ state: true, attemptCount: true })
    .extend({ at: z.string().optional(), status: z.int().optional(), error: z.string().optional() })
    .optional(),
});

/** One contact with a platform, written down after its end: no body, header or token. */
export const Contact = z.object({
  id: z.string(),
  at: z.string(),
  what: z.enum(['stream', 'request', 'check', 'webhook', 'thread']),
  /** The platform's, or the hub's own where the platform gave none. */
  status: z.int().optional(),
  ms: z.number(),
  problem: Trouble.optional(),
  inquiries: z.array(Concerned),
});
export type Contact = z.infer<typeof Contact>;

/** What a live check found. */
export const Check = z.object({
  ok: z.boolean(),
  at: z.string(),
  status: z.int().optional(),
  ms: z.number(),
  code: z.union([Trouble.shape.code, z.enum(['upstream.ok', 'upstream.ok_without_key', 'upstream.nothing_to_call'])]),
  /** One sentence. */
  detail: z.string(),
});
export type Check = z.infer<typeof Check>;
