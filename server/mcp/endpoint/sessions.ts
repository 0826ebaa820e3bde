import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { authOf, type Parts, type McpRequest } from './call.ts';
import { readMessage, RpcRefusal } from '../messages.ts';
import { HOUR_MS } from '../../platform/clock.ts';
import { waitsForPerson } from './tools.ts';
import { connection, createEventStore, readEventId } from './events.ts';
import { buildServer } from './server.ts';
import { createStoredSessions, type StoredSession, type StoredSessions } from '../sessions.ts';

const SWEEP_MS = 30_000;
const RETRY_MS = 1_000;
/** Sessions of one credential; above it, the one that is idle longest goes. */
const PER_OWNER = 2_000;

export type Session = Awaited<ReturnType<typeof openSession>>;

/** A message as it came in: `text` as it was written, `message` as it is read. */
export type Sent = { method: string; headers: Headers; text?: string | undefined; message?: object | undefined };

/** The sessions of older clients on this node; those of all nodes are stored, for any node to go on with. */
export function createSessions(parts: Parts, node: string) {
  const sessions = new Map<string, Session>();
  const coming = new Map<string, Promise<Session | undefined>>();
  const stored = createStoredSessions(parts.inquiries.database, PER_OWNER);
  const sweep = setInterval(() => {
    const before = performance.now() - parts.pace.idleMs;
    for (const session of sessions.values()) if ((session.idleSince() ?? Infinity) < before) void session.leave();
  }, SWEEP_MS).unref();

  function makeRoom(owner: string): void {
    const own = [...sessions.values()].filter((session) => session.owner === owner);
    if (own.length < PER_OWNER) return;
    const idle = own
      .map((session) => ({ session, since: session.idleSince() ?? Infinity }))
      .toSorted((a, b) => a.since - b.since)[0];
    if (idle && idle.since < Infinity) void idle.session.leave();
  }

  async function open(mcpRequest: McpRequest, id: string): Promise<Session> {
    makeRoom(mcpRequest.caller.id);
    return openSession({ ...parts, stored }, mcpRequest, { id, onClosed: () => sessions.delete(id) });
  }

  async function moveHere(mcpRequest: McpRequest, id: string, { node: from, initialize }: StoredSession) {
    if (!(await stored.move(id, { from, to: node }))) return undefined;
    const session = await open(mcpRequest, id);
    await session.begin(mcpRequest, initialize);
    sessions.set(id, session);
    return session;
  }

  return {
    stored,
    /** The session of this id, if it lives here and belongs to this credential. */
    find(id: string, owner: string) {
      const session = sessions.get(id);
      return session?.owner === owner ? session : undefined;
    },
    /** Opens a session for an `initialize`; throws `RpcRefusal` for any other message without a session. */
    async open(mcpRequest: McpRequest, { message, text }: Sent): Promise<Session> {
      if (!isInitializeRequest(message))
        throw new RpcRefusal(400, -32000, 'Send "initialize" first, and its Mcp-Session-Id with everything after.');
      const session = await open(mcpRequest, randomUUID());
      const { id, owner } = session;
      sessions.set(id, session);
      await storeIfPossible(parts, stored.keep({ id, owner, node, initialize: text ?? '' }));
      return session;
    },
    /** Goes on with a session whose process is gone; undefined where another node was quicker. */
    async takeUp(mcpRequest: McpRequest, id: string, row: StoredSession): Promise<Session | undefined> {
      // Several requests of a client come at once when it is back.
      const known = coming.get(id);
      if (known) return known;
      const taking = moveHere(mcpRequest, id, row).finally(() => coming.delete(id));
      coming.set(id, taking);
      return taking;
    },
    async stop(): Promise<void> {
      clearInterval(sweep);
      await Promise.all([...sessions.values()].map((session) => session.leave()));
    },
  };
}

/**
 * A session of an older client. It ends on DELETE, or when its calls wait while it has had no connection for `lostMs`;
 * its calls then let go of their inquiries.
 */
async function openSession(
  parts: Parts & { stored: StoredSessions },
  mcpRequest: McpRequest,
  { id, onClosed }: { id: string; onClosed: () => void },
) {
  const { inquiries, pace, stored } = parts;
  let notedAt = performance.now();
  let leaving = false;

  const events = createEventStore((stream, inquiryId) => {
    if (inquiryId !== undefined) inquiries.collected.add(inquiryId);
    void storeIfPossible(parts, stored.dropCall(stream));
  });
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    eventStore: events,
    retryInterval: RETRY_MS,
    keepAliveMs: pace.keepAliveMs,
  });
  const use = watchUse(pace.lostMs, () => void transport.close());
  transport.onclose = () => {
    use.stop();
    onClosed();
    if (!leaving) void storeIfPossible(parts, stored.forget(id));
  };
  const server = buildServer(parts, 'legacy', mcpRequest, use.calls);
  await server.connect(transport);

  const pass = (by: McpRequest, { method, headers, message }: Sent): Promise<Response> => {
    const request = new Request('http://hub/mcp', { method, headers });
    return transport.handleRequest(request, { authInfo: authOf(by), ...(message ? { parsedBody: message } : {}) });
  };

  const resumed = new Set<string>();

  /** The call whose stream this process does not know, because another one held it; its client waits on the same stream. */
  async function heldElsewhere(by: McpRequest, { method, headers }: Sent) {
    const lastEventId = method === 'GET' ? headers.get('last-event-id') : null;
    if (lastEventId === null || (await events.getStreamIdForEventId(lastEventId)) !== undefined) return undefined;
    const { stream: name, number: from } = readEventId(lastEventId);
    const call = await stored.findCall(id, name);
    if (!call) return undefined;
    // A client that was cut off again comes back with the same event: its call goes on once.
    if (resumed.has(name)) return beingTakenUp();
    resumed.add(name);
    by.ordinal = call.ordinal;
    return { sent: post(headers, call.message), name, from };
  }

  return {
    id,
    /** The credential that made it; to others it does not exist. */
    owner: mcpRequest.caller.id,
    /** Says again what its client said to the process that had it before. */
    async begin(by: McpRequest, initialize: string): Promise<void> {
      await (await pass(by, post(new Headers(), initialize))).text();
    },
    async handle(by: McpRequest, sent: Sent): Promise<void> {
      const { reply } = by;
      use.connected(reply);
      const held = await heldElsewhere(by, sent);
      if (held instanceof Response) return write(held, reply);
      const { name, from } = held ?? { name: randomUUID(), from: 0 };
      by.noteOrdinal = (ordinal) => storeIfPossible(parts, stored.noteOrdinal(name, ordinal));
      if (!held && sent.text !== undefined && waitsForPerson(sent.message ?? {}))
        await storeIfPossible(parts, stored.keepCall(id, name, sent.text));
      await connection.run({ reply, name, from }, async () => write(await pass(by, held?.sent ?? sent), reply));
      // An "initialize" that was refused, for its headers perhaps, opened nothing.
      if (transport.sessionId === undefined) await transport.close();
      if (performance.now() - notedAt < HOUR_MS) return;
      notedAt = performance.now();
      await storeIfPossible(parts, stored.use(id));
    },
    idleSince: use.idleSince,
    /** Ends it in this process; it stays stored, for its client to come back. */
    async leave(): Promise<void> {
      leaving = true;
      await transport.close();
    },
  };
}

/** Watches the connections and calls of a session: `onLost` is called when calls wait and nobody was connected for `lostMs`. */
function watchUse(lostMs: number, onLost: () => void) {
  const connected = new Set<ServerResponse>();
  let calls = 0;
  let usedAt = performance.now();
  let lost: NodeJS.Timeout | undefined;
  const look = (): void => {
    usedAt = performance.now();
    clearTimeout(lost);
    lost = connected.size === 0 && calls > 0 ? setTimeout(onLost, lostMs).unref() : undefined;
  };
  return {
    connected(reply: ServerResponse): void {
      if (!reply.destroyed) connected.add(reply);
      look();
      reply.once('close', () => {
        connected.delete(reply);
        look();
      });
    },
    calls(change: 1 | -1): void {
      calls += change;
      look();
    },
    /** Nobody is connected and nothing is under way since then; undefined: it is in use. */
    idleSince: () => (connected.size === 0 && calls === 0 ? usedAt : undefined),
    stop: () => clearTimeout(lost),
  };
}

function post(headers: Headers, text: string): Sent {
  const own = new Headers(headers);
  own.set('accept', 'application/json, text/event-stream');
  own.set('content-type', 'application/json');
  return { method: 'POST', headers: own, text, message: readMessage(text) };
}

function beingTakenUp(): Response {
  const refusal = new RpcRefusal(409, -32000, 'This stream is being taken up: come again in a moment.');
  return new Response(refusal.body(), { status: refusal.status, headers: { 'content-type': 'application/json' } });
}

/** Writes a response out; one whose client goes is no longer read. */
async function write(response: Response, reply: ServerResponse): Promise<void> {
  reply.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) return void reply.end();
  // Each part of a call that waits looks whether its client is gone.
  reply.setMaxListeners(20);
  await pipeline(Readable.fromWeb(response.body), reply).catch(() => {});
}

/** A session that cannot be stored is served all the same; it then ends with this process. */
async function storeIfPossible({ log }: Parts, storing: Promise<void>): Promise<void> {
  await storing.catch((error: unknown) => log.warn({ err: error }, 'mcp: a session could not be stored'));
}

/** The reply to a session id that means nothing here: the client starts anew (404, as the protocol says). */
export function unknownSession(): RpcRefusal {
  return new RpcRefusal(404, -32001, 'Session not found: initialize again.');
}
