import webpush from 'web-push';
import type { PushMessage } from '#shared/push.ts';
import type { Request } from '../../worker.ts';
import type { Vapid } from './vapid.ts';

const FOUR_WEEKS_SECONDS = 28 * 86_400;

export type Recipient = { endpoint: string; keys: { p256dh: string; auth: string } };
/** What every request of this hub needs. */
export type Envelope = {
  vapid: Vapid;
  publicUrl: () => string;
  /** Whether the operator listed this push service, so that it may stand in a private network. */
  isListed: (endpoint: string) => boolean;
};

export function isApple(endpoint: string): boolean {
  return URL.parse(endpoint)?.hostname.endsWith('.push.apple.com') ?? false;
}

/**
 * The request that carries a message to a push service: encrypted for this browser alone (RFC 8291, one record),
 * signed (RFC 8292), replacing whatever waits there under the same Topic (RFC 8030).
 */
export async function toRequest(
  { vapid, publicUrl, isListed }: Envelope,
  { to, message, topic, ttlMs }: { to: Recipient; message: PushMessage; topic: string; ttlMs: number },
): Promise<Request> {
  const text = JSON.stringify(
    isApple(to.endpoint) && message.t === 'ask' ? declarative(message, publicUrl()) : message,
  );
  const { cipherText } = webpush.encrypt(to.keys.p256dh, to.keys.auth, text, 'aes128gcm');
  return {
    url: to.endpoint,
    headers: {
      authorization: await vapid.authorization(to.endpoint),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(Math.min(FOUR_WEEKS_SECONDS, Math.max(1, Math.floor(ttlMs / 1000)))),
      topic,
      urgency: toUrgency(message),
    },
    body: cipherText,
    trust: isListed(to.endpoint) ? 'owner' : 'untrusted',
  };
}

/** Only `high` wakes a phone that dozes; a withdraw must arrive as soon as what it takes away. */
function toUrgency(message: PushMessage): string {
  switch (message.t) {
    case 'ask':
      return message.urgency === 'low' ? 'low' : 'high';
    case 'notice':
      return message.urgency;
    case 'signed_out':
      return 'normal';
    case 'withdraw':
    case 'digest':
    case 'test':
      return 'high';
  }
}

/** Declarative Web Push: shown even where iOS has put the worker away, and its tap opens the right page. */
function declarative(message: Extract<PushMessage, { t: 'ask' }>, publicUrl: string) {
  const { id, title, body, lang, badge, urgency } = message;
  return {
    web_push: 8030,
    app_badge: badge,
    notification: {
      title,
      body,
      tag: id,
      navigate: `${publicUrl}/i/${id}`,
      lang,
      dir: 'auto',
      silent: urgency === 'low',
      // WebKit draws no buttons.
      data: { ...message, actions: [] },
    },
  };
}
