import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';

/** True where anybody may look at an address: not refused by `forbiddenNetwork`, or allowed by a test. */
export type Permit = (address: string) => boolean;

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/**
 * Names the kind of network when an IP address is not a public one (`private`, `loopback`, `linkLocal`, …).
 * Whatever the library has no name for is refused too, unless it lies in IPv6's global unicast block.
 */
export function forbiddenNetwork(address: string): string | undefined {
  if (isIP(address) === 0) return 'unreadable';
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range !== 'unicast') return range;
  return parsed.kind() === 'ipv6' && !parsed.match(GLOBAL_UNICAST) ? 'reserved' : undefined;
}

export const isPublic: Permit = (address) => forbiddenNetwork(address) === undefined;

/**
 * Why the hub may not call this URL, in a few words, or undefined. Looks at what stands in the URL only:
 * a name is looked up, and checked again, when connecting.
 */
export function refusedUrl(url: URL, permit: Permit): string | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return NOT_HTTP;
  if (url.username !== '' || url.password !== '') return CREDENTIALS;
  const host = bareHost(url);
  return isIP(host) !== 0 && !permit(host) ? PRIVATE : undefined;
}

/** The host of an address, an IPv6 one without its brackets. */
export function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

export const PRIVATE = 'refused: private address';
export const UNREADABLE = 'refused: not an address';
const NOT_HTTP = 'refused: not http or https';
const CREDENTIALS = 'refused: credentials in the address';

/**
 * True for a name that no public name server knows: one word alone, as containers are called, and the endings kept for
 * this machine and for private networks.
 */
export function isLocalName(host: string): boolean {
  const name = host.replace(/\.$/, '').toLowerCase();
  if (isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0) return false;
  return !name.includes('.') || /\.(localhost|local|internal|home\.arpa)$/.test(name);
}

/** Whether an address can never be called, whatever its name resolves to later. */
export function isPermanent(error: string | undefined): boolean {
  return error === UNREADABLE || error === NOT_HTTP || error === CREDENTIALS;
}
