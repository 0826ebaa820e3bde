import { isIP } from 'node:net';

/** The push services of the browsers; `*.` stands for one or more names before it. */
const KNOWN = [
  'fcm.googleapis.com',
  'jmt17.google.com',
  '*.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
];

export type Endpoints = {
  /** Why the hub does not send to this address, or undefined. */
  faultOf(endpoint: string): string | undefined;
  /** Whether the operator listed its push service: only such a one may lie in a private network or speak http. */
  isListed(endpoint: string): boolean;
};

/**
 * Which endpoints may come from a browser: those of the known push services, over https on its own port, and those of
 * the origins in `listed` ("push.example.com", "push.example.com:8443", "http://127.0.0.1:9000").
 */
export function allowedEndpoints(listed: readonly string[] = []): Endpoints {
  const own = new Set(listed.map((entry) => new URL(entry.includes('://') ? entry : `https://${entry}`).origin));
  const isListed = (endpoint: string): boolean => URL.canParse(endpoint) && own.has(new URL(endpoint).origin);
  return {
    isListed,
    faultOf(endpoint) {
      if (endpoint.length > 1024) return 'is longer than 1024 characters';
      if (!URL.canParse(endpoint)) return 'is not an address';
      const url = new URL(endpoint);
      if (url.username !== '' || url.password !== '') return 'holds credentials';
      if (isListed(endpoint)) return undefined;
      if (url.protocol !== 'https:') return 'is not https';
      if (isIP(url.hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) return 'is an IP address';
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
