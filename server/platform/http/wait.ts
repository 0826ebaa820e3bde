import type { FastifyReply } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';

/** The seconds of `60`, `2.5` or `30s`; what is no such text as it came, for its schema to refuse. */
export function toSeconds(value: unknown): unknown {
  const [, seconds] = (typeof value === 'string' && /^(\d+(?:\.\d+)?)s?$/.exec(value)) || [];
  return seconds === undefined ? value : Number(seconds);
}

/** Proxies cut a silent connection after a minute: a call whose status is told last waits no longer than this. */
const MOST_SECONDS = 50;
/** A hint: of a header that is longer than this nothing is read. */
const LONGEST = 1000;

/**
 * The seconds of `wait` in a `Prefer` header (RFC 7240): its first one counts, whatever else is preferred; undefined
 * where that is none of whole seconds.
 */
export function preferredSeconds({ prefer }: IncomingHttpHeaders): number | undefined {
  const text = String(prefer ?? '');
  if (text.length > LONGEST) return undefined;
  for (const preference of text.match(/(?:"(?:[^"\\]|\\.)*(?:"|$)|[^,"])+/g) ?? []) {
    const [, seconds] = /^\s*wait\s*(?:=\s*"?(\d*)"?\s*)?(?:;|$)/i.exec(preference) ?? [];
    if (seconds) return Number(seconds);
    if (/^\s*wait\s*(?:[=;]|$)/i.test(preference)) return undefined;
  }
  return undefined;
}

/** How long a call waits; `preferred`: because a `Prefer` header says so, which its reply answers. */
export type CallWait = { ms: number; preferred: boolean };

/** Reads how long a call waits: `?wait=` wins, then `Prefer`, of at most 50 s; `absent`: in ms, where neither says it. */
export function readWait(
  { query, headers }: { query: { wait?: number | undefined }; headers: IncomingHttpHeaders },
  absent = 0,
): CallWait {
  const seconds = query.wait === undefined ? preferredSeconds(headers) : undefined;
  if (seconds !== undefined) return { ms: Math.min(seconds, MOST_SECONDS) * 1000, preferred: true };
  return { ms: query.wait ?? absent, preferred: false };
}

/** What the reference says of the header. */
export const PREFER = {
  Prefer:
    '`wait=30` waits as `?wait=30` does, which wins, at most 50 seconds; the reply says `Preference-Applied` with the seconds that held. Where people have not decided by then it is 202 with `Location`, which is read in the same way, and `Retry-After`. Whatever else is preferred is ignored (RFC 7240).',
};

/**
 * The seconds that `Prefer` asks a call over MCP to wait, whose own result says that it is undecided, and the header that
 * says so in its reply; undefined where it asks for none.
 */
export function preferredOverMcp(
  headers: IncomingHttpHeaders,
  { most, reply }: { most: number; reply: FastifyReply },
): number | undefined {
  const seconds = Math.min(preferredSeconds(headers) ?? 0, most);
  if (seconds === 0) return undefined;
  reply.raw.setHeader('preference-applied', `wait=${seconds}`);
  return seconds;
}

const RETRY_SECONDS = 1;

/** Says in a reply that a preferred wait was kept; `undecided`: where people still decide, the address that tells. */
export function applyPreference(reply: FastifyReply, { ms, preferred }: CallWait, undecided?: string | false): void {
  if (!preferred || reply.sent) return;
  void reply.header('preference-applied', `wait=${ms / 1000}`);
  if (undecided) void reply.code(202).headers({ location: undecided, 'retry-after': String(RETRY_SECONDS) });
}
