import { parseOrNothing } from '../../json-text.ts';
import { endTurn } from '../../../platform/turns.ts';
import { INTERNAL_ERROR, errorMessage, isObject, type Id, type Message } from '../../messages.ts';
import { towardsClient, towardsUpstream, type Headers } from './headers.ts';
import { eventData, eventsOf, gather, TooLong, withData } from '../../sse.ts';
import { UpstreamError, type UpstreamReply } from './upstream.ts';
import type { GateRequest } from './gate-request.ts';

/**
 * What becomes of a message of the upstream: on to the client, as it is or as this text, kept back, this body sent to
 * the upstream in its place, or the reply ended with this message; without one, broken off.
 */
export type Seen = 'pass' | 'drop' | { pass: string } | { again: string } | { end: string | undefined };
/** Looks at a message on its way to the client; `text` is its exact JSON text. */
export type Watch = (message: Message, text: string) => Seen | Promise<Seen>;

export type Forwarded = {
  method: 'POST' | 'GET' | 'DELETE';
  id: Id | null;
  body?: Buffer | string;
  /** In place of the client's own. */
  headers?: Headers;
  watch?: Watch | undefined;
  /** Ends the upstream's work; absent: it ends when the client closes. */
  signal?: AbortSignal | undefined;
  /** Told of each reply of the upstream before it is passed on. */
  onReply?: ((reply: UpstreamReply) => Promise<void>) | undefined;
};

/** Sends a request on to the upstream and its reply back; what cannot be reached is told in one sentence. */
export async function forward(
  gateRequest: GateRequest,
  { method, id, watch, onReply, ...more }: Forwarded,
): Promise<void> {
  const { gates, gate, replyStream } = gateRequest;
  const headers = more.headers ?? upstreamHeaders(gateRequest);
  const signal = more.signal ?? replyStream.closed;
  let { body } = more;
  endTurn();
  try {
    for (;;) {
      const reply = await gates.upstream.send(gate, { method, headers, body, signal });
      await onReply?.(reply);
      body = await relay(gateRequest, id, reply, watch);
      if (body === undefined) return;
    }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    if (signal.aborted) return;
    gates.log.warn({ gate: gate.name, reason: error.message }, 'an upstream did not answer');
    replyStream.end(errorMessage({ id, code: INTERNAL_ERROR, message: error.message }), 502);
  }
}

/** The client's headers with the gate's credentials in place of its own. */
export function upstreamHeaders({ headers, gate }: GateRequest): Headers {
  return towardsUpstream(headers, gate.upstream.headers);
}

const PROBE = JSON.stringify({ jsonrpc: '2.0', id: 'beckon-probe', method: 'ping' });
const PROBE_MS = 5_000;

/**
 * Whether the upstream still knows this session: nobody should be asked about a call that cannot run.
 * Otherwise the client is told what the upstream said, and this is false.
 */
export async function sessionIsKnown(gateRequest: GateRequest, id: Id | null): Promise<boolean> {
  const { gates, gate, replyStream, sessionId } = gateRequest;
  if (sessionId === undefined) return true;
  const limit = AbortSignal.timeout(PROBE_MS);
  const signal = AbortSignal.any([limit, replyStream.closed]);
  const fail = (status: number, code: number, message: string): false => {
    replyStream.end(errorMessage({ id, code, message }), status);
    return false;
  };
  try {
    const headers = { ...upstreamHeaders(gateRequest), 'content-type': 'application/json' };
    const { status, body } = await gates.upstream.send(gate, { method: 'POST', headers, body: PROBE, signal });
    void body.on('error', () => {}).destroy();
    if (status === 404) return fail(404, -32001, 'Session not found');
    return status === 400 || status === 403
      ? fail(status, INTERNAL_ERROR, `The MCP server behind the gate "${gate.name}" refuses this session (${status}).`)
      : true;
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    // Slow is not dead.
    return limit.aborted || fail(502, INTERNAL_ERROR, error.message);
  }
}

/**
 * Passes an upstream's reply on to the client, byte for byte while nothing was sent yet, else as events of
 * the stream that the gate began. Resolves with the body that a watch wants sent, where one does: the reply
 * is not ended then.
 */
async function relay(
  gateRequest: GateRequest,
  id: Id | null,
  reply: UpstreamReply,
  watch?: Watch,
): Promise<string | undefined> {
  const { replyStream } = gateRequest;
  const stream = String(reply.headers['content-type'] ?? '').startsWith('text/event-stream');
  try {
    if (stream && reply.status < 300) return await relayStream(gateRequest, reply, watch);
    if (!watch && !replyStream.streaming()) {
      const length = reply.headers['content-length'];
      replyStream.head(reply.status, {
        ...towardsClient(reply.headers),
        ...(length ? { 'content-length': length } : {}),
      });
      for await (const chunk of reply.body) await replyStream.write(chunk as Buffer);
      replyStream.end();
      return undefined;
    }
    return await relayWhole(gateRequest, id, reply, watch);
  } catch (error) {
    if (!replyStream.closed.aborted) await breakOff(gateRequest, id, error);
    return undefined;
  }
}

async function relayStream(gateRequest: GateRequest, reply: UpstreamReply, watch?: Watch): Promise<string | undefined> {
  const { replyStream } = gateRequest;
  if (!replyStream.streaming()) replyStream.head(reply.status, towardsClient(reply.headers));
  replyStream.quiet();
  const body = reply.body as AsyncIterable<Buffer>;
  for await (const piece of watch ? eventsOf(body) : body) {
    if (piece.includes('/list_changed')) gateRequest.gates.catalogue.forget(gateRequest.gate.name);
    const seen = watch ? await look(gateRequest, watch, eventData(piece)) : 'pass';
    if (seen === 'pass') await replyStream.write(piece);
    else if (seen === 'drop') continue;
    else if ('pass' in seen) await replyStream.write(withData(piece, seen.pass));
    else {
      reply.body.destroy();
      return instead(gateRequest, seen);
    }
  }
  replyStream.end();
  return undefined;
}

async function relayWhole(
  gateRequest: GateRequest,
  id: Id | null,
  reply: UpstreamReply,
  watch?: Watch,
): Promise<string | undefined> {
  const { replyStream } = gateRequest;
  const whole = gather();
  for await (const chunk of reply.body) whole.add(chunk as Buffer);
  const bytes = whole.take();
  let text = bytes.toString('utf8');
  const seen = watch && reply.status < 300 ? await look(gateRequest, watch, text) : 'pass';
  if (typeof seen === 'object' && !('pass' in seen)) return instead(gateRequest, seen);
  if (seen !== 'pass') text = seen === 'drop' ? '' : seen.pass;
  if (!replyStream.streaming()) {
    replyStream.head(reply.status, towardsClient(reply.headers));
    await replyStream.write(seen === 'pass' ? bytes : text);
    replyStream.end();
  } else if (reply.status < 300) replyStream.end(text === '' ? undefined : text);
  else replyStream.end(asError(id, reply.status, text));
  return undefined;
}

async function breakOff({ gates, gate, replyStream }: GateRequest, id: Id | null, error: unknown): Promise<void> {
  gates.log.warn({ err: error, gate: gate.name }, 'the reply of an upstream broke off');
  const who = `The reply of the MCP server behind the gate "${gate.name}"`;
  // Nothing of what was too long has been passed on.
  if (error instanceof TooLong && id !== null) {
    const message = `${who} was broken off: ${error.message}. What it did is not known.`;
    return replyStream.end(errorMessage({ id, code: INTERNAL_ERROR, message }), 502);
  }
  // Half a reply of the upstream must not look like a whole one.
  if (!replyStream.committed()) return replyStream.break();
  const message = `${who} broke off; what it did is not known.`;
  // Ends an event that was cut in its middle.
  await replyStream.write('\n\n');
  replyStream.end(errorMessage({ id, code: INTERNAL_ERROR, message }));
}

function instead({ replyStream }: GateRequest, seen: Exclude<Seen, string | { pass: string }>): string | undefined {
  if ('again' in seen) return seen.again;
  if (seen.end === undefined) replyStream.break();
  else replyStream.end(seen.end);
  return undefined;
}

// On a stream that has begun, a status can only be told as an error of the call.
function asError(id: Id | null, status: number, text: string): string {
  const { error } = (parseOrNothing(text) ?? {}) as { error?: { code?: unknown; message?: unknown } };
  if (typeof error?.code === 'number' && typeof error.message === 'string')
    return JSON.stringify({ jsonrpc: '2.0', id, error });
  const message = `The MCP server behind this gate answered with HTTP ${status}.`;
  return errorMessage({ id, code: INTERNAL_ERROR, message });
}

async function look({ gate }: GateRequest, watch: Watch, text: string | undefined): Promise<Seen> {
  const value = text === undefined ? undefined : parseOrNothing(text);
  if (text !== undefined && isObject(value)) return watch(value as Message, text);
  // Where people answer, a request in a batch would reach the client without having been seen; no revision after 2025-03-26 has batches.
  const asks = (one: unknown) => isObject(one) && 'method' in one && 'id' in one;
  return gate.elicitation === 'people' && Array.isArray(value) && value.some(asks) ? 'drop' : 'pass';
}
