import { z } from 'zod';
import type { AnswerBody } from './answer.ts';

export const Subscription = z
  .object({
    endpoint: z.string().max(1024).describe('Where the browser’s push service takes messages.'),
    keys: z
      .object({
        p256dh: z.string().max(200).describe('Its public key, base64url.'),
        auth: z.string().max(100).describe('Its secret, base64url.'),
      })
      .describe('What messages are encrypted with.'),
    vapidPublicKey: z
      .string()
      .max(200)
      .describe("The key it was made with, base64url; another than the hub's means: subscribe anew."),
  })
  .meta({
    id: 'Subscription',
    description:
      "What a browser's `PushSubscription.toJSON()` says (W3C Push API), and which VAPID key it was made with.",
  });
export type Subscription = z.infer<typeof Subscription>;

export const SubscriptionState = z
  .object({
    vapidPublicKey: z.string().describe('For `PushManager.subscribe({applicationServerKey})`, base64url.'),
    subscription: z
      .object({
        endpointHost: z.string().describe('The host of the push service.'),
        createdAt: z.string().describe('When it was stored.'),
        shownAt: z.string().optional().describe('When a notification was last really shown, as the worker reported.'),
        trouble: z.string().optional().describe('Why nothing arrives at present, as one plain sentence.'),
      })
      .optional()
      .describe("What the hub knows of this device's subscription; absent: it has none."),
    weeklyTest: z.boolean().describe('A visible test goes out each week.'),
  })
  .meta({ id: 'SubscriptionState', description: "How it stands with this device's notifications." });
export type SubscriptionState = z.infer<typeof SubscriptionState>;

export const NotificationMark = z
  .strictObject({ kind: z.enum(['shown', 'opened', 'dismissed']).describe('What became of it.') })
  .meta({ id: 'NotificationMark', description: 'What a worker reports of a notification.' });
export type NotificationMark = z.infer<typeof NotificationMark>;

/** A button of a notification; `body` is the whole answer it sends, made by the hub. */
export type NotificationAction = { action: string; title: string; body: AnswerBody };

/** What every notification draws. */
type Drawn = { title: string; body: string; lang: 'en' | 'zh' };
type Urgency = 'low' | 'normal' | 'high';

/** The JSON inside a push message, except to Apple, where an ask is declarative (`web_push: 8030`) with this in `data`. */
export type PushMessage =
  | (Drawn & {
      t: 'ask';
      id: string;
      /** Never more than two, and none unless all of what is asked is shown (PRV1). */
      actions: NotificationAction[];
      /** An answer may be typed into the notification: the words become `response`. */
      reply?: { title: string; placeholder: string; digest: string };
      /** ISO 8601; the worker ignores its own clock unless it is more than 10 minutes past. */
      deadlineAt: string;
      urgency: Urgency;
      badge: number;
    })
  | (Drawn & { t: 'withdraw'; id: string; badge: number })
  | (Drawn & { t: 'digest'; count: number; badge: number })
  | (Drawn & { t: 'notice'; id: string; link?: string; urgency: Urgency; badge: number })
  | (Drawn & { t: 'test'; id: string })
  /** This device was revoked: close everything and forget. */
  | { t: 'signed_out' };
