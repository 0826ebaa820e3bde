import { ECDH } from 'node:crypto';
import type { Fault } from '#shared/problem.ts';
import type { Subscription } from '#shared/push.ts';
import type { Endpoints } from './endpoints.ts';

/** All that keeps the hub from sending to a subscription, each located; empty: it can. */
export function subscriptionFaults(
  { endpoint, keys, vapidPublicKey }: Subscription,
  hub: { endpoints: Endpoints; vapidPublicKey: string },
): Fault[] {
  const wrong: [path: string, code: string, message: string | undefined][] = [
    ['/endpoint', 'subscription.endpoint', hub.endpoints.faultOf(endpoint)],
    ['/keys/p256dh', 'subscription.key', pointFault(keys.p256dh)],
    ['/keys/auth', 'subscription.key', bytesOf(keys.auth)?.length === 16 ? undefined : 'is not 16 bytes in base64url'],
    [
      '/vapidPublicKey',
      'subscription.vapid_key',
      vapidPublicKey === hub.vapidPublicKey ? undefined : 'is not this hub’s key; subscribe anew with the key it gives',
    ],
  ];
  return wrong.flatMap(([path, code, message]) => (message === undefined ? [] : [{ path, code, message }]));
}

function pointFault(text: string): string | undefined {
  const bytes = bytesOf(text);
  if (bytes?.length !== 65 || bytes[0] !== 4) return 'is not an uncompressed point of 65 bytes in base64url';
  try {
    ECDH.convertKey(bytes, 'prime256v1');
    return undefined;
  } catch {
    return 'is not a point of the curve P-256';
  }
}

function bytesOf(text: string): Buffer | undefined {
  return /^[A-Za-z0-9_-]+=*$/.test(text) ? Buffer.from(text, 'base64url') : undefined;
}
