import { z } from 'zod';
import type { AnswerBody } from './answer.ts';

/** What a browser's `PushSubscription.toJSON()` says (W3C Push API), and which VAPID key it was made with. */
export const Subscription = z.object({
  endpoint: z.string().max(1024),
  keys: z.object({ p256dh: z.string().max(200), auth: z.string().max(100) }),
  /** The key it was made with, base64url; another than the hub's means: subscribe anew. */
  vapidPublicKey: z.string().max(200),
});
export type Subscription = z.infer<typeof Subscription>;

/** How it stands with this device's notifications. */
export const SubscriptionState = z.object({
  /** For `PushManager.subscribe({applicationServerKey})`, base64url. */
  vapidPublicKey: z.string(),
  /** What the hub knows of this device's subscription; absent: it has none. */
  subscription: z
    .object({
      endpointHost: z.string(),
      createdAt: z.string(),
      /** When a notification was last really shown, as the worker reported. */
      shownAt: z.string().optional(),
      /** Why nothing arrives at present, as one plain sentence. */
      trouble: z.string().optional(),
    })
    .optional(),
  /** A visible test goes out each week. */
  weeklyTest: z.boolean(),
});
export type SubscriptionState = z.infer<typeof SubscriptionState>;

/** What a worker reports of a notification. */
export const NotificationMark = z.strictObject({ kind: z.enum(['shown', 'opened', 'dismissed']) });
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
