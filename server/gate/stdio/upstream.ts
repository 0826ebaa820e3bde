import { Readable } from 'node:stream';
import { isInitializeRequest } from '@modelcontextprotocol/server';
import type { GateConfig } from '../gates.ts';
import type { ToUpstream, UpstreamReply } from '../http/upstream.ts';
import { routeOf } from './headers.ts';
import { isId, parseLoose, type Message } from './messages.ts';
import { exchange, jsonReply } from './modern.ts';
import { TooManyPrograms } from './programs.ts';
import { ownerOf, type Running } from './running.ts';
import type { Session } from './session.ts';

const INTERNAL_ERROR = -32603;
const PARSE_ERROR = -32700;
const INITIALIZE_FIRST = 'Send "initialize" first, and its Mcp-Session-Id with all that follows.';

/**
 * Sends a request to the program behind a gate as if that were an MCP server over Streamable HTTP: one
 * program for each session of the older revisions, one for all requests of a source since 2026-07-28.
 */
export async function sendToProgram(
  running: Running,
  gate: GateConfig,
  sourceId: string,
  outgoing: ToUpstream,
): Promise<UpstreamReply> {
  const owner = ownerOf(gate, sourceId);
  if (outgoing.method !== 'POST') return legacy(running, gate, owner, outgoing, undefined);
  const message = read(outgoing.body);
  if (message === undefined) return refusal(400, PARSE_ERROR, 'Parse error: the body is not JSON.');
  const route = routeOf(outgoing.headers, message);
  const id = isId((message as Message | null)?.id) ? (message as Message).id : null;
  if (route.kind === 'reject') return jsonReply(route.status, { jsonrpc: '2.0', id, error: route.error });
  try {
    if (route.kind === 'legacy') return await legacy(running, gate, owner, outgoing, message);
    return await modern(running, gate, owner, message as Message, outgoing.signal);
  } catch (error) {
    if (!(error instanceof TooManyPrograms)) throw error;
    return jsonReply(503, { jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message: error.message } });
  }
}

async function modern(
  running: Running,
  gate: GateConfig,
  owner: string,
  message: Message,
  signal: AbortSignal | undefined,
): Promise<UpstreamReply> {
  const shared = await running.shared(gate, owner);
  if (!isId(message.id)) {
    // Ids are not the program's here; whoever takes a request back closes it.
    if (message.method !== 'notifications/cancelled') shared.notify(message);
    return jsonReply(202, undefined);
  }
  const reply = await exchange(shared, message, signal);
  // It speaks only older revisions: its client comes back with "initialize", to a program of its own.
  const tooOld = message.method === 'server/discover' && reply.status === 404;
  if (tooOld && shared.idleSince() !== undefined) running.drop(owner, shared);
  return reply;
}

async function legacy(
  running: Running,
  gate: GateConfig,
  owner: string,
  { method, headers, signal }: ToUpstream,
  message: unknown,
): Promise<UpstreamReply> {
  const id = headers['mcp-session-id'];
  const reading = { signal, standing: method === 'GET' };
  if (typeof id === 'string') {
    const session = running.find(id, owner);
    if (!session) return refusal(404, -32001, 'Session not found: initialize again.');
    return replyOf(session, await session.handle(requestOf(method, headers), message), reading);
  }
  if (method !== 'POST') return refusal(method === 'GET' ? 405 : 400, -32000, INITIALIZE_FIRST);
  if (!isInitializeRequest(message)) return refusal(400, -32000, INITIALIZE_FIRST);
  const session = await running.open(gate, owner);
  const response = await session.handle(requestOf(method, headers), message);
  // An "initialize" that was refused, for its headers perhaps, opened nothing.
  if (!response.headers.has('mcp-session-id')) await session.close();
  return replyOf(session, response, reading);
}

function read(body: Buffer | string | undefined): unknown {
  try {
    return parseLoose(String(body ?? ''));
  } catch {
    return undefined;
  }
}

function requestOf(method: string, headers: ToUpstream['headers']): Request {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, one] as [string, string]),
  );
  return new Request('http://program/', { method, headers: given });
}

type Reading = { signal: AbortSignal | undefined; standing: boolean };

function replyOf(session: Session, { status, headers, body }: Response, { signal, standing }: Reading): UpstreamReply {
  if (!body) return { status, headers: Object.fromEntries(headers), body: Readable.from([]) };
  const reader = body.getReader();
  const outflow = session.flow.open({ standing });
  const { stream } = outflow;
  const close = (): void => void stream.destroy();
  session.streams(1);
  stream.once('close', () => {
    session.streams(-1);
    signal?.removeEventListener('abort', close);
    // To a client that closes nothing is lost: it may come back for the rest.
    reader.cancel().catch(() => {});
  });
  // As fast as it comes: what its client has not read is counted in one place.
  const pass = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return outflow.end();
      outflow.write(value);
    }
  };
  pass().catch(close);
  signal?.addEventListener('abort', close, { once: true });
  if (signal?.aborted) close();
  return { status, headers: Object.fromEntries(headers), body: stream };
}

function refusal(status: number, code: number, message: string): UpstreamReply {
  return jsonReply(status, { jsonrpc: '2.0', id: null, error: { code, message } });
}
