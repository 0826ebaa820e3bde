import proxyAddr from '@fastify/proxy-addr';
import ipaddr from 'ipaddr.js';
import { hash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { AppError } from '#shared/problem.ts';
import type { ProblemCode } from '#shared/reference/problems.ts';

const WINDOW_MS = 60_000;
/** Two addresses that meet in one of so many counters share it: less likely than one in 65,000, and never by choice. */
const COUNTERS = 65_536;
/** Of an IPv6 address its network counts, because one machine takes as many in it as it likes. */
const NETWORK_BYTES = 8;
/** A site holds up to 65,536 networks: together they make at most so many times the requests of one. */
const SITE_BYTES = 6;
const NETWORKS_AT_ONCE = 16;

/** 429, or 503, that says when the same call may be sent again. */
export class TooMany extends AppError {
  readonly retryAfterSeconds: number;

  constructor(code: ProblemCode, detail: string, retryAfterSeconds: number, status = 429) {
    super(status, code, detail);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

function tooManyRequests(whose: string, seconds: number): TooMany {
  return new TooMany('request.too_many', `Too many requests ${whose}; try again in ${seconds} s.`, seconds);
}

/** Whose request it is: a source, a device or the operator. */
type RequestCaller = { kind: string; id: string };

/** Counts by key within a minute of monotonic time: no step of the machine's clock opens or locks anything. */
export class PerMinute {
  readonly #counts = new Map<string | number, number>();
  #endsAt = 0;

  /** How often this key came within the minute, this time included. */
  add(key: string | number): number {
    const now = performance.now();
    if (now >= this.#endsAt) {
      this.#counts.clear();
      this.#endsAt = now + WINDOW_MS;
    }
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count;
  }

  /** Until the next minute begins. */
  secondsLeft(): number {
    return Math.max(1, Math.ceil((this.#endsAt - performance.now()) / 1000));
  }
}

export type RateLimits = ReturnType<typeof createRateLimits>;

/**
 * Limits requests by the minute: those with a valid credential by their caller and never by address, so that nobody locks
 * out those who share an address with them; all others by address. What it keeps does not grow with made-up credentials
 * or addresses, and none of them makes it forget another's.
 */
export function createRateLimits({ max, trusts }: { max: number; trusts: (address: string, hop: number) => boolean }) {
  const salt = randomBytes(16).toString('hex');
  const [byCaller, byAddress] = [new PerMinute(), new PerMinute()];
  const ofAddress = Math.ceil(max / 4);
  const pickCounter = (network: string) => hash('sha256', salt + network, 'buffer').readUInt32LE() % COUNTERS;

  return {
    /** Counts one request, refused ones too. Throws 429 where there were too many. */
    count(request: IncomingMessage, caller?: RequestCaller): void {
      if (caller) {
        if (byCaller.add(`${caller.kind}:${caller.id}`) > max)
          throw tooManyRequests('with this credential', byCaller.secondsLeft());
        return;
      }
      const networks = listNetworks(proxyAddr(request, trusts));
      // What one network is refused does not count for its site.
      if (networks.some(([network, times]) => byAddress.add(pickCounter(network)) > ofAddress * times))
        throw tooManyRequests('without a valid credential from this address', byAddress.secondsLeft());
    },
  };
}

/** The network that a machine takes its addresses in: the address itself, or of IPv6 its first half. */
export function networkOf(address: string): string {
  return listNetworks(address)[0]?.[0] ?? '';
}

/** What an address is counted under, with how many addresses' requests each may make. */
function listNetworks(address = ''): [network: string, times: number][] {
  // Some proxies add the port.
  const bare = address.replace(/^\[(.*)\](:\d+)?$|^([\d.]+):\d+$/, '$1$3');
  if (!ipaddr.isValid(bare)) return [['unknown', 1]];
  const parsed = ipaddr.process(bare);
  if (parsed.kind() === 'ipv4') return [[parsed.toString(), 1]];
  const first = (bytes: number) => `${bytes}:${Buffer.from(parsed.toByteArray().slice(0, bytes)).toString('hex')}`;
  return [
    [first(NETWORK_BYTES), 1],
    [first(SITE_BYTES), NETWORKS_AT_ONCE],
  ];
}
