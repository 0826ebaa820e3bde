import { lookup, Resolver } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent } from 'undici';
import { isPublic, PRIVATE, refusedUrl, UNREADABLE, type Permit } from './addresses.ts';
import { readText, send } from './send.ts';

export type Outgoing = {
  url: string;
  headers: Record<string, string>;
  body: string | Uint8Array;
  /** Who chose the address: only what the owner typed may lie in a private network. */
  trust: 'owner' | 'untrusted';
  /** For everything together: name, connection, request and the reply's head. */
  timeoutMs: number;
  /** The reply is read too, if it has at most so many bytes. */
  readBytes?: number;
  signal?: AbortSignal | undefined;
};
/**
 * `error` is set for every failure but a status of 400 and above, which speaks for itself. `final`: whatever came of it, it
 * is not tried again.
 */
export type Sent = { status?: number; retryAfterMs?: number; error?: string; text?: string | undefined; final?: true };
export type Post = (outgoing: Outgoing) => Promise<Sent>;

const DRAIN_MS = 1_000;
const READ_BYTES = 16_384;

/**
 * Posts to addresses on the internet. Never throws for what the network does, follows no redirect, and
 * connects to an untrusted address only if `permit` (default: public networks) holds for every
 * address its name resolves to, looked up by the connection itself so that the name cannot change in between.
 */
export function createOutbound({ permit = isPublic, nameServers }: { permit?: Permit; nameServers?: string[] } = {}) {
  const names = new Resolver({ timeout: 2_000, tries: 2 });
  if (nameServers) names.setServers(nameServers);
  const bounds = {
    pipelining: 1,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 30_000,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const agents = {
    owner: new Agent({ ...bounds, connect: { timeout: 10_000 } }),
    untrusted: new Agent({ ...bounds, connect: { timeout: 10_000, lookup: guardedLookup(names, permit) } }),
  };
  return {
    async post({ url, headers, body, trust, timeoutMs, readBytes, signal }: Outgoing): Promise<Sent> {
      if (!URL.canParse(url)) return { error: UNREADABLE };
      const refused = refusedUrl(new URL(url), trust === 'owner' ? () => true : permit);
      if (refused !== undefined) return { error: refused };
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort(new Error('timeout')), timeoutMs);
      const abort = (): void => deadline.abort(new Error('stopped'));
      signal?.addEventListener('abort', abort, { once: true });
      try {
        if (signal?.aborted) return { error: 'stopped' };
        const options = { method: 'POST', headers, body, dispatcher: agents[trust], signal: deadline.signal } as const;
        const response = await send(url, options);
        const sent = toSent(response.statusCode, response.headers['retry-after']);
        if (readBytes !== undefined) return { ...sent, text: await readText(response, readBytes) };
        // The status decides; the rest is read only so that the connection can be used again.
        void response.body.dump({ limit: READ_BYTES, signal: AbortSignal.timeout(DRAIN_MS) }).catch(() => {});
        return sent;
      } catch (error) {
        return { error: deadline.signal.aborted ? (deadline.signal.reason as Error).message : wordFor(error) };
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      }
    },
    async close(): Promise<void> {
      await Promise.all([agents.owner.destroy(), agents.untrusted.destroy()]);
    },
  };
}

function guardedLookup(names: Resolver, permit: Permit): LookupFunction {
  return (...call) => void lookUp(names, permit, call);
}

async function lookUp(
  names: Resolver,
  permit: Permit,
  [hostname, { all }, callback]: Parameters<LookupFunction>,
): Promise<void> {
  const found = await lookUpAddresses(names, hostname).catch((error: Error) => error);
  if (found instanceof Error) callback(found, '', 0);
  else if (!found.every(({ address }) => permit(address)))
    callback(Object.assign(new Error(PRIVATE), { code: 'PRIVATE' }), '', 0);
  else if (all) callback(null, found);
  else callback(null, found[0]?.address ?? '', found[0]?.family);
}

/**
 * The system's own look-up has two threads for the whole process, which names that hang would take from everybody. It
 * is asked only for what the name servers do not know, such as names of this machine.
 */
async function lookUpAddresses(names: Resolver, hostname: string): Promise<LookupAddress[]> {
  const replies = await Promise.allSettled([names.resolve4(hostname), names.resolve6(hostname)]);
  const found = replies.flatMap((reply, index) =>
    reply.status === 'fulfilled' ? reply.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  );
  if (found.length > 0) return found;
  for (const reply of replies) {
    if (reply.status === 'rejected' && ['ETIMEOUT', 'ESERVFAIL'].includes(reply.reason.code)) throw reply.reason;
  }
  return lookup(hostname, { all: true });
}

function toSent(status: number, retryAfter: string | string[] | undefined): Sent {
  const waitMs = retryAfterMs(retryAfter);
  return {
    status,
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
    ...(status >= 300 && status < 400 ? { error: 'refused: redirect' } : {}),
  };
}

/** Both forms of RFC 9110, section 10.2.3: seconds or a date. */
function retryAfterMs(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

const WORDS: Record<string, string> = {
  PRIVATE,
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed',
  EPIPE: 'connection closed',
  UND_ERR_SOCKET: 'connection closed',
  ENOTFOUND: 'name not found',
  EAI_AGAIN: 'name not found',
  ESERVFAIL: 'name not found',
  ETIMEOUT: 'timeout',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'host unreachable',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'reply too large',
};

/** What a failed connection is called, in a few words. */
export function wordFor(error: unknown): string {
  const { code, errors } = error as { code?: string; errors?: unknown[] };
  if (errors?.[0] !== undefined) return wordFor(errors[0]);
  if (code === undefined) return 'network error';
  if (WORDS[code] !== undefined) return WORDS[code];
  if (code.startsWith('HPE_')) return 'reply is not HTTP';
  return /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)
    ? `certificate refused: ${code}`
    : `network error: ${code}`;
}
