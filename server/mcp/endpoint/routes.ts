import type { ServerResponse } from 'node:http';
import type { Http } from '../../platform/http/server.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../platform/http/access.ts';
import { readBodies } from '../../platform/http/bodies.ts';
import { clientGone, closeUndrained, onceClosed } from '../../platform/http/late-reply.ts';
import { preferredOverMcp } from '../../platform/http/wait.ts';
import { HOP_HEADER, passOn } from '../../platform/nodes/neighbours.ts';
import { toAuthInfo, type McpRequest } from './call.ts';
import { MESSAGE_LIMIT, readMessage, RpcRefusal, type Message } from '../messages.ts';
import { refuseForeign, classifyMessage, type Own } from '../request.ts';
import { MAX_SECONDS, readOverrides } from './overrides.ts';
import { waitsForPerson } from './tools.ts';
import { createMcp, type Mcp, type McpOptions } from './mcp.ts';
import { type Sent, type Session, unknownSession } from './sessions.ts';

export const MCP_PATH = '/mcp';

/** `/mcp` on one node: both eras of the protocol on one address, for sources and, with other tools, for devices. */
export async function openMcp(app: Http, options: McpOptions, own: Own): Promise<Mcp> {
  const mcp = createMcp(options, app.asks);
  await app.register(async (scope) => {
    takeMessages(scope, own);
    scope.route({
      method: ['POST', 'GET', 'DELETE'],
      url: MCP_PATH,
      bodyLimit: MESSAGE_LIMIT,
      config: { access: 'any' },
      exposeHeadRoute: false,
      handler: (request, reply) => serve(mcp, request, reply),
    });
  });
  return mcp;
}

/** Makes a scope read bodies as text and say its refusals in JSON-RPC; checks `Host` and `Origin` on every method. */
export function takeMessages(scope: FastifyInstance, own: Own): void {
  scope.removeAllContentTypeParsers();
  readBodies(scope, '*', 'string');
  scope.addHook('onRequest', async ({ headers }) => refuseForeign(headers, own));
  scope.setErrorHandler((error: Error & { code?: string }, _request, reply) => {
    const refusal =
      error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
        ? new RpcRefusal(413, -32000, `The message is larger than ${MESSAGE_LIMIT / 1024} KiB.`)
        : error;
    if (!(refusal instanceof RpcRefusal)) throw refusal;
    return reply.code(refusal.status).type('application/json').send(refusal.body());
  });
}

async function serve(mcp: Mcp, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { caller } = request as { caller: Caller };
  const gone = clientGone(reply.raw);
  if (request.method === 'GET') onceClosed(reply.raw, mcp.places.take('stream', caller.id));
  const { searchParams } = new URL(request.url, 'http://hub');
  const overrides = readOverrides(searchParams);
  const message = request.method === 'POST' ? (readMessage(request.body) as Message) : undefined;
  if (message && waitsForPerson(message))
    overrides.wait ??= preferredOverMcp(request.headers, { most: MAX_SECONDS, reply });
  const own = caller.kind === 'device' ? caller.person.locale : caller.locale;
  const locale = overrides.locale ?? own ?? 'en';
  const callId = readCallId(request);
  const mcpRequest: McpRequest = {
    caller,
    overrides,
    callId,
    locale,
    reply: reply.raw,
    written: reply.raw,
    arrivedAt: request.arrivedAt,
    clock: { begunAt: performance.now(), signs: { count: 0 } },
    gone,
  };
  // Nobody is left to be told: nobody is asked.
  if (gone.aborted && message && waitsForPerson(message)) return void reply.hijack();
  if (message && classifyMessage(request.headers, message).kind !== 'legacy') {
    return handOver(mcp, reply, (raw) =>
      mcp.modern.handle(Object.assign(request.raw, { auth: toAuthInfo(mcpRequest) }), raw, message),
    );
  }
  const text = typeof request.body === 'string' ? request.body : undefined;
  const sent: Sent = { method: request.method, headers: toHeaders(request), text, message };
  const { sessions, neighbours } = mcp;
  const id = sent.headers.get('mcp-session-id');
  if (id === null) {
    const opened = sessions.opening(mcpRequest, sent);
    return handOver(mcp, reply, () => sessions.open(opened, mcpRequest, sent, neighbours.id));
  }
  const session = await sessionFor(mcp, id, caller.id, sent, { request, reply });
  if (session) await handOver(mcp, reply, () => sessions.handle(session, mcpRequest, sent));
}

function toHeaders({ headers }: FastifyRequest): Headers {
  return new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** A call's own id together with what it is unique in, a session or a process: a counter alone names nothing. */
function readCallId({ headers }: FastifyRequest): string | undefined {
  const id = headers['beckon-call'];
  return typeof id === 'string' && /^[\w-]{16,64} [\w-]{1,64}$/.test(id) ? id : undefined;
}

type Exchange = { request: FastifyRequest; reply: FastifyReply };

/** The session that a request is in, taken up if its node is gone; undefined: another node has replied. */
async function sessionFor(
  { sessions, neighbours }: Mcp,
  id: string,
  owner: string,
  sent: Sent,
  at: Exchange,
): Promise<Session | undefined> {
  // What came from a neighbour already is not sent around: one hop, never two.
  const mayPass = !sent.headers.has(HOP_HEADER);
  for (let node: string | undefined; ;) {
    const session = await sessions.find(id, owner);
    // Nobody has it, or somebody took it up meanwhile who cannot be asked.
    if (!session || session.node === node) throw unknownSession();
    node = session.node;
    if (node === neighbours.id) return session;
    const url = mayPass ? await neighbours.find(node) : undefined;
    if (url !== undefined && (await passTo(url, sent, at))) return undefined;
    if (await sessions.move(id, { from: node, to: neighbours.id })) return session;
  }
}

/** The session lives on another node, which answers in our place; false when it did not. */
function passTo(url: string, { text }: Sent, { request, reply }: Exchange): Promise<boolean> {
  return passOn(request.raw, reply.raw, { body: text, url, taken: () => void reply.hijack() });
}

function handOver(mcp: Mcp, reply: FastifyReply, work: (raw: ServerResponse) => Promise<void>): Promise<void> {
  reply.hijack();
  const { raw, request } = reply;
  // Each part of a call looks whether its client is gone.
  raw.setMaxListeners(20);
  request.raw.socket.setKeepAlive(true, 30_000);
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw.setHeader('x-accel-buffering', 'no');
  closeUndrained(raw);
  // Node holds the head back until the first byte of the body, which may be a quarter of a minute away.
  const writeHead = raw.writeHead.bind(raw) as (...input: unknown[]) => ServerResponse;
  raw.writeHead = ((...input: unknown[]) => {
    const written = writeHead(...input);
    raw.flushHeaders();
    return written;
  }) as typeof raw.writeHead;
  return work(raw).catch((error: unknown) => {
    mcp.log.error({ err: error }, 'mcp: unhandled error');
    raw.destroy();
  });
}
