import { randomUUID } from 'node:crypto';
import type { Upstream } from './upstream.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '#shared/problem.ts';
import { sourceOf } from '../../../platform/http/access.ts';
import { preferredOverMcp, toSeconds } from '../../../platform/http/wait.ts';
import type { GateConfig, GateStore } from '../config/store.ts';
import type { Rounds } from '../../rounds.ts';
import { createStreamId, type Origin } from '../continuations.ts';
import type { Asking, Ids } from '../elicitation/asking.ts';
import type { Gates, Place } from '../hold.ts';
import { readClient, readId, type ClientInfo } from '../../messages.ts';
import type { GateSessions } from '../../sessions.ts';
import type { Calls, Clock } from '../../calls.ts';
import type { Posted } from './message.ts';
import { createReplyStream, type ReplyStream } from '../../reply-stream.ts';
/** What the HTTP gate needs beside the core. */
export type HttpGates = Gates & {
  /** The receipt of a resolution of this source, for the upstream at this address. */
  receipt(inquiryId: string, sourceId: string, audience: string): Promise<string>;
  findFor: GateStore['findFor'];
  upstream: Upstream;
  calls: Calls;
  asking: Asking;
  ids: Ids;
  sessions: GateSessions;
  rounds: Rounds<Place>;
};

/** One request to a gate. */
export type GateRequest = {
  gates: HttpGates;
  gate: GateConfig;
  source: { id: string; name: string };
  headers: IncomingHttpHeaders;
  sessionId: string | undefined;
  origin: Origin;
  /** Names its session, or the visit itself where there is none. */
  place: string;
  /** What the client calls itself, of an older session in its first message; shown, never trusted. */
  client: ClientInfo | undefined;
  /** `?locale=` of the address. */
  language: string | undefined;
  /** `?wait=` of the address, else of `Prefer`. */
  waitSeconds: number | undefined;
  replyStream: ReplyStream;
  /** By which the call of an older client is found again. */
  streamId: string | undefined;
  /** The question of a call that its client came back for. */
  asked?: string | undefined;
} & Clock;
const MAX_WAIT_SECONDS = 30 * 86_400;

/** The visit that a request is, or 400; `clock` and `streamId` are those of a call that its client comes back for. */
export function readGateRequest(
  gates: HttpGates,
  gate: GateConfig,
  { request, reply, posted }: { request: FastifyRequest; reply: FastifyReply; posted: Posted | undefined },
  again?: { clock: Clock | undefined; streamId: string },
): GateRequest {
  const { headers } = request;
  const session = headers['mcp-session-id'];
  const sessionId = typeof session === 'string' && session !== '' ? session : undefined;
  refuseUnknown(request);
  const { locale } = request.query as { locale?: unknown };
  const meta = posted?.message.params?.['_meta'] as { progressToken?: unknown } | undefined;
  const source = sourceOf(request);
  const origin = { gate: gate.name, sourceId: source.id, sessionId };
  const calls = posted?.message.method === 'tools/call';
  const legacyCall = calls && !posted.modern;
  // Resumability and redelivery (MCP): before 2025-11-25 a client takes the first event, which is empty, for a message.
  const resumes = String(headers['mcp-protocol-version'] ?? '') >= '2025-11-25';
  const comesBack = legacyCall && (resumes || sessionId !== undefined);
  const streamId = again?.streamId ?? (comesBack ? createStreamId(origin, readId(posted.message)) : undefined);
  const { begunAt, signs } = again?.clock ?? { begunAt: performance.now(), signs: { count: 0 } };
  return {
    gates,
    gate,
    source,
    headers,
    sessionId,
    origin,
    place: JSON.stringify([gate.name, source.id, sessionId ?? { gateRequest: randomUUID() }]),
    client: posted && readClient(posted.message),
    language: typeof locale === 'string' && /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(locale) ? locale : undefined,
    waitSeconds:
      readWaitSeconds(request) ?? (calls ? preferredOverMcp(headers, { most: MAX_WAIT_SECONDS, reply }) : undefined),
    begunAt,
    signs,
    replyStream: createReplyStream({
      raw: reply.raw,
      progressToken: meta?.progressToken,
      everyMs: gates.pace.progressMs,
      signs,
      resumeId: resumes ? streamId : undefined,
    }),
    streamId,
  };
}

function refuseUnknown({ query }: FastifyRequest): void {
  const stranger = Object.keys(query as object).find((name) => name !== 'locale' && name !== 'wait');
  if (stranger === undefined) return;
  throw new AppError(400, 'gate.bad_query', `"${stranger}" is no query parameter of a gate; it takes locale and wait.`);
}

/** The seconds of `?wait=`; throws 400 for what cannot be meant. */
function readWaitSeconds({ query }: FastifyRequest): number | undefined {
  const { wait } = query as { wait?: unknown };
  if (wait === undefined) return undefined;
  const seconds = toSeconds(wait);
  if (typeof seconds === 'number' && seconds <= MAX_WAIT_SECONDS) return seconds;
  const detail = `"wait" takes seconds, at most ${MAX_WAIT_SECONDS} (30 days); 0 waits for ever.`;
  throw new AppError(400, 'gate.bad_query', detail);
}
