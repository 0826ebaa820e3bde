import { ECDH } from 'node:crypto';
import { isIP } from 'node:net';
import { fault } from '#shared/faults.ts';
import type { Fault } from '#shared/problem.ts';
import type { Subscription } from '#shared/push.ts';
import { bareHost } from '../../platform/outbound/addresses.ts';

/** The push services of the browsers; `*.` stands for one or more names before it. */
const KNOWN = [
  'fcm.googleapis.com',
  'jmt17.google.com',
  '*.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
];

export type Endpoints = ReturnType<typeof allowedEndpoints>;

/**
 * Which endpoints may come from a browser: those of the known push services, over https on its own port, and those of
 * the origins in `listed` ("push.example.com", "push.example.com:8443", "http://127.0.0.1:9000").
 */
export function allowedEndpoints(listed: readonly string[] = []) {
  const own = new Set(listed.map((entry) => new URL(entry.includes('://') ? entry : `https://${entry}`).origin));
  const isListed = (endpoint: string): boolean => URL.canParse(endpoint) && own.has(new URL(endpoint).origin);
  return {
    /** Whether the operator listed its push service: only such a one may lie in a private network or speak http. */
    isListed,
    /** Why the hub does not send to this address, or undefined. */
    faultOf(endpoint: string): string | undefined {
      if (endpoint.length > 1024) return 'is longer than 1024 characters';
      if (!URL.canParse(endpoint)) return 'is not an address';
      const url = new URL(endpoint);
      if (url.username !== '' || url.password !== '') return 'holds credentials';
      if (isListed(endpoint)) return undefined;
      if (url.protocol !== 'https:') return 'is not https';
      if (isIP(bareHost(url)) !== 0) return 'is an IP address';
      if (url.port !== '') return 'names another port than 443';
      return KNOWN.some((known) => matches(url.hostname, known))
        ? undefined
        : 'is not at a push service this hub knows; its operator can add one with PUSH_HOSTS';
    },
  };
}

function matches(host: string, known: string): boolean {
  return known.startsWith('*.') ? host.endsWith(known.slice(1)) : host === known;
}

/** All that keeps the hub from sending to a subscription, each located; empty: it can. */
export function subscriptionFaults(
  { endpoint, keys, vapidPublicKey }: Subscription,
  hub: { endpoints: Endpoints; vapidPublicKey: string },
): Fault[] {
  const wrong: [path: string, code: string, message: string | undefined][] = [
    ['/endpoint', 'subscription.endpoint', hub.endpoints.faultOf(endpoint)],
    ['/keys/p256dh', 'subscription.key', pointFault(keys.p256dh)],
    ['/keys/auth', 'subscription.key', decode(keys.auth)?.length === 16 ? undefined : 'is not 16 bytes in base64url'],
    [
      '/vapidPublicKey',
      'subscription.vapid_key',
      vapidPublicKey === hub.vapidPublicKey ? undefined : 'is not this hub’s key; subscribe anew with the key it gives',
    ],
  ];
  return wrong.flatMap(([path, code, message]) => (message === undefined ? [] : [fault(path, code, message)]));
}

function pointFault(text: string): string | undefined {
  const bytes = decode(text);
  if (bytes?.length !== 65 || bytes[0] !== 4) return 'is not an uncompressed point of 65 bytes in base64url';
  try {
    ECDH.convertKey(bytes, 'prime256v1');
    return undefined;
  } catch {
    return 'is not a point of the curve P-256';
  }
}

function decode(text: string): Buffer | undefined {
  return /^[A-Za-z0-9_-]+=*$/.test(text) ? Buffer.from(text, 'base64url') : undefined;
}
