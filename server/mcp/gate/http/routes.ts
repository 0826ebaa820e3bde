import type { Http } from '../../../platform/http/server.ts';
import type { Clock } from '../../calls.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { JsonError } from '#shared/json.ts';
import { AppError } from '#shared/problem.ts';
import { refuseForeign, type Own } from '../../request.ts';
import { sourceOf } from '../../../platform/http/access.ts';
import { readBodies } from '../../../platform/http/bodies.ts';
import { closeUndrained, onceClosed } from '../../../platform/http/late-reply.ts';
import { cancelCall, findQuestion, isStreamId, takeCall } from '../continuations.ts';
import { takeOver } from '../elicitation/asking.ts';
import { readClient, errorMessage, readId, INTERNAL_ERROR, INVALID_REQUEST, isId } from '../../messages.ts';
import { passCall } from './call.ts';
import { answerOfClient, enterPlace, watchElicitation } from './elicit.ts';
import { forward } from './forward.ts';
import { readPosted, type Posted } from './message.ts';
import { readGateRequest, type HttpGates, type GateRequest } from './gate-request.ts';

/** The largest message a gate takes: what the MCP SDKs take. */
const BODY_LIMIT = 4_194_304;
const FAILED = 'The gate failed at this. The log of the hub says why.';

/** `/mcp/gate/{name}`: a transparent gate before an MCP server over Streamable HTTP, in every revision. */
export async function gateRoutes(app: Http, gates: HttpGates, own: Own): Promise<void> {
  await app.register(async (scope) => {
    // Kept as it came: what is approved is these bytes.
    scope.removeAllContentTypeParsers();
    readBodies(scope, '*', 'buffer');
    scope.addHook('onRequest', async ({ headers }) => refuseForeign(headers, own));
    scope.addHook('onClose', () => gates.upstream.close());
    scope.route({
      method: ['POST', 'GET', 'DELETE'],
      url: '/mcp/gate/:name',
      config: { access: 'source' },
      schema: { summary: 'An MCP server behind a gate (Streamable HTTP)', tags: ['Gates'] },
      exposeHeadRoute: false,
      bodyLimit: BODY_LIMIT,
      handler: (request, reply) => visitGate(gates, request, reply),
    });
  });
}

async function visitGate(gates: HttpGates, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const source = sourceOf(request);
  const { name } = request.params as { name: string };
  const gate = await gates.findFor(source.id, name);
  const posted = request.method === 'POST' ? readBody(request) : undefined;
  if (posted && 'code' in posted) {
    return reply.code(posted.status).type('application/json').send(errorMessage(posted));
  }
  // Refuses what it cannot read, while that can be.
  const gateRequest = readGateRequest(gates, gate, { request, reply, posted });
  const { replyStream, sessionId } = gateRequest;
  const id = posted ? readId(posted.message) : null;
  const kind = request.method === 'GET' ? 'stream' : 'wait';
  const release = gates.inquiries.waiters.places.take(kind, source.id, posted?.text.length);
  closeUndrained(reply.raw);
  request.raw.socket.setKeepAlive(true, 30_000);
  reply.hijack();
  const leave = enterPlace(gateRequest);
  try {
    // As an upstream tells it: the client initializes again.
    const session = sessionId === undefined ? {} : await gates.sessions.find({ gate: name, sessionId }, source.id);
    if (session) gateRequest.client ??= session.client;
    if (!session) replyStream.end(errorMessage({ id, code: -32001, message: 'Session not found' }), 404);
    else if (posted) await post(gateRequest, posted, request.body as Buffer);
    else if (request.method === 'GET') await listen(gateRequest, request, reply);
    else await endSession(gateRequest);
  } catch (error) {
    const foreign = error instanceof JsonError;
    if (!foreign) gates.log.error({ err: error, gate: name }, 'a gate failed');
    const message = foreign ? `Invalid request: ${error.message}` : FAILED;
    replyStream.end(
      errorMessage({ id, code: foreign ? INVALID_REQUEST : INTERNAL_ERROR, message }),
      foreign ? 400 : 500,
    );
  } finally {
    leave();
    // A call may outlive its connection, and a stream that was resumed this function.
    onceClosed(reply.raw, release);
  }
  return reply;
}

async function post(gateRequest: GateRequest, given: Posted, bytes: Buffer): Promise<void> {
  if (gateRequest.gate.elicitation !== 'people') return pass(gateRequest, given, bytes);
  if (given.message.method === undefined) return answer(gateRequest, given);
  const { dropped, ...own } = takeOver(given);
  if (dropped) logDropped(gateRequest);
  return pass(gateRequest, { ...given, ...own }, own.text);
}

// People answer in the client's place: what it answers itself is passed on only where it was asked itself.
async function answer(gateRequest: GateRequest, given: Posted): Promise<void> {
  const body = answerOfClient(gateRequest, given);
  if (body !== undefined) return forward(gateRequest, { method: 'POST', id: null, body });
  if (given.batch) {
    const message = 'Invalid request: where people answer in the place of the client, a batch is not passed on.';
    return gateRequest.replyStream.end(errorMessage({ id: null, code: INVALID_REQUEST, message }), 400);
  }
  logDropped(gateRequest);
  gateRequest.replyStream.end(undefined, 202);
}

function logDropped({ gates, gate, source }: GateRequest): void {
  gates.log.warn({ gate: gate.name, source: source.id }, 'dropped an answer that a client gave in the place of people');
}

async function pass(gateRequest: GateRequest, posted: Posted, body: Buffer | string): Promise<void> {
  const watch = watchElicitation(gateRequest, posted);
  const { message } = posted;
  if (message.method === 'tools/call') return passCall(gateRequest, posted, body, watch);
  if (message.method === 'notifications/cancelled' && (await takeBack(gateRequest, posted))) {
    return gateRequest.replyStream.end(undefined, 202);
  }
  await forward(gateRequest, {
    method: 'POST',
    id: readId(message),
    body,
    watch: watch?.(posted.text),
    onReply: async ({ headers }) => {
      const session = headers['mcp-session-id'];
      if (typeof session !== 'string' || message.method !== 'initialize') return;
      const name = { gate: gateRequest.gate.name, sessionId: session };
      await gateRequest.gates.sessions.remember(name, gateRequest.source.id, readClient(message));
    },
  });
}

async function listen(gateRequest: GateRequest, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const id = request.headers['last-event-id'];
  if (!isStreamId(id))
    return forward(gateRequest, { method: 'GET', id: null, watch: watchElicitation(gateRequest, undefined)?.('') });
  const { gates, origin } = gateRequest;
  const again = (before: Clock | undefined) => callAgain(gateRequest, id, before, { request, reply });
  if (await gates.calls.resume(origin, { ...gateRequest, streamId: id }, reply.raw, again)) return;
  const message = 'Nothing of this stream is kept here any more; send the call again and it finds its question.';
  gateRequest.replyStream.end(errorMessage({ id: null, code: -32001, message }), 404);
}

type Connection = { request: FastifyRequest; reply: FastifyReply };

/** Sends the same call again as if its client did: still undecided, it finds its question (ASK5), whichever process held it before. */
async function callAgain(
  { gates, gate, origin }: GateRequest,
  id: string,
  before: Clock | undefined,
  { request, reply }: Connection,
): Promise<boolean> {
  const { database } = gates.inquiries;
  const asked = await findQuestion(database, origin, id);
  const text = await takeCall(database, origin, id);
  if (text === undefined) return false;
  const { 'last-event-id': _resumed, ...others } = request.headers;
  const headers = { ...others, accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  const posted = readPosted(Buffer.from(text), headers);
  if ('code' in posted) return false;
  const again = {
    ...readGateRequest(gates, gate, { request, reply, posted }, { clock: before, streamId: id }),
    headers,
    asked,
  };
  again.replyStream.commit();
  await post(again, posted, Buffer.from(text));
  return true;
}

async function endSession(gateRequest: GateRequest): Promise<void> {
  const { gates, gate, sessionId, origin, place } = gateRequest;
  if (sessionId !== undefined) gates.calls.endSession(origin);
  gates.asking.end(place);
  await forward(gateRequest, {
    method: 'DELETE',
    id: null,
    onReply: async ({ status }) => {
      const ended = status < 300 || status === 404;
      if (ended && sessionId !== undefined) await gates.sessions.forget({ gate: gate.name, sessionId });
    },
  });
}

async function takeBack({ gates, origin }: GateRequest, { message }: Posted): Promise<boolean> {
  const { requestId, reason } = message.params ?? {};
  return (
    isId(requestId) && cancelCall(gates, origin, requestId, typeof reason === 'string' ? reason.slice(0, 2000) : '')
  );
}

function readBody({ headers, body }: FastifyRequest): ReturnType<typeof readPosted> {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const charsets = parameters.filter((one) => one.includes('charset'));
  const utf8 = charsets.every((one) => /^\s*charset=("?)utf-8\1\s*$/.test(one));
  if (type.trim() !== 'application/json' || !utf8 || headers['content-encoding']) {
    throw new AppError(415, 'request.unsupported_media', 'Send the message as application/json in UTF-8, not packed.');
  }
  return readPosted(Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers);
}
