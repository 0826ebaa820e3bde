import { z } from 'zod';
import { named } from './values.ts';

export const Attempt = z
  .object({
    at: z.string().describe('When it was tried.'),
    status: z.int().optional().describe('The HTTP status that came back; absent: none did.'),
    error: z.string().optional().describe('What went wrong, in one sentence.'),
    ms: z.int().describe('How long it took, in milliseconds.'),
  })
  .meta({ id: 'Attempt', description: 'One try of a delivery.' });
export const PushDelivery = z
  .object({
    state: z
      .enum(['pending', 'sent', 'digest', 'withdrawn', 'dropped', 'failed'])
      .describe(
        'pending: it is due. sent: the push service took it. digest: one push told of several. withdrawn: it was taken back. dropped: it was over before it was sent. failed: the push service refused it.',
      ),
    attempts: z
      .array(
        Attempt.extend({
          kind: z.enum(['ask', 'withdraw']).describe('Whether it said what is asked, or that it is over.'),
        }),
      )
      .describe('The tries of the last 7 days.'),
  })
  .meta({
    id: 'PushDelivery',
    description: 'The Web Push of one inquiry to one device: what became of it, with its tries of the last 7 days.',
  });
export type PushDelivery = z.infer<typeof PushDelivery>;

export const DeviceDelivery = z
  .object({
    device: named('device').describe('The device.'),
    person: z.string().describe('The handle of its person.'),
    toldAt: z.string().optional().describe('When it was to be told.'),
    acceptedAt: z.string().optional().describe('When its page or its push service took it.'),
    shownAt: z.string().optional().describe('When it was shown.'),
    openedAt: z.string().optional().describe('When somebody opened it.'),
    dismissedAt: z.string().optional().describe('When somebody hid it there.'),
    push: PushDelivery.optional().describe('What became of its push; absent: it has no subscription.'),
  })
  .meta({ id: 'DeviceDelivery', description: 'Who of the devices was told of one inquiry, and how far it came.' });
export type DeviceDelivery = z.infer<typeof DeviceDelivery>;

export const WebhookDelivery = z
  .object({
    id: z.string().describe('Its id.'),
    type: z.string().describe('inquiry.resolved, inquiry.unreachable or inquiry.late_answer.'),
    sourceId: z.string().optional().describe('To the owner: the source it is of.'),
    inquiryId: z.string().describe('The id of the inquiry.'),
    title: z.string().optional().describe('What was asked; absent for an owner who was not asked.'),
    url: z.string().describe('Where it is posted; of a callback only the origin to an owner who was not asked.'),
    state: z
      .enum(['pending', 'delivered', 'gone', 'failed'])
      .describe(
        'pending: it is being tried. delivered: the endpoint took it. gone: the endpoint said 409 or 410. failed: it was tried for a day.',
      ),
    createdAt: z.string().describe('When it happened.'),
    dueAt: z.string().optional().describe('When it is tried next.'),
    attemptCount: z.int().describe('How often it was tried.'),
    attempts: z.array(Attempt).describe('The tries of the last 7 days, at most the newest 50.'),
    body: z
      .string()
      .optional()
      .describe(
        'The bytes that each attempt sends, only where one delivery is read; absent for an owner who was not asked.',
      ),
  })
  .meta({ id: 'WebhookDelivery', description: 'A webhook of a source, with its attempts.' });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const Deliveries = z
  .object({
    items: z.array(DeviceDelivery).describe('What became of it on each device.'),
    webhooks: z.array(WebhookDelivery).optional().describe('To the source only: its webhooks.'),
  })
  .meta({ id: 'Deliveries', description: 'Whom an inquiry reached, and how.' });
export type Deliveries = z.infer<typeof Deliveries>;
