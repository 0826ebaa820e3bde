import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { isInitializeRequest } from '@modelcontextprotocol/server';
import type { Parts, Visit } from '../call.ts';
import { RpcRefusal } from '../message.ts';
import { createEventStore, currentReply } from './events.ts';
import { buildServer } from './server.ts';

const SWEEP_MS = 30_000;
const RETRY_MS = 1_000;
/** Sessions of one credential; above it, the one that is idle longest goes. */
const PER_OWNER = 2_000;

/** The sessions of this node; `prefix` names it in their ids. */
export function createSessions(parts: Parts, prefix: string) {
  const sessions = new Map<string, Awaited<ReturnType<typeof openSession>>>();
  const sweep = setInterval(() => {
    const before = performance.now() - parts.pace.idleMs;
    for (const session of sessions.values()) if ((session.idleSince() ?? Infinity) < before) void session.close();
  }, SWEEP_MS).unref();

  function makeRoom(owner: string): void {
    const own = [...sessions.values()].filter((session) => session.owner === owner);
    if (own.length < PER_OWNER) return;
    const idle = own
      .map((session) => ({ session, since: session.idleSince() ?? Infinity }))
      .toSorted((a, b) => a.since - b.since)[0];
    if (idle && idle.since < Infinity) void idle.session.close();
  }

  return {
    /** The session of this id, if it lives here and belongs to this credential. */
    find(id: string, owner: string) {
      const session = sessions.get(id);
      return session?.owner === owner ? session : undefined;
    },
    /** Opens a session for an `initialize`; throws `RpcRefusal` for any other message without a session. */
    async open(visit: Visit, message: unknown) {
      if (!isInitializeRequest(message))
        throw new RpcRefusal(400, -32000, 'Send "initialize" first, and its Mcp-Session-Id with everything after.');
      makeRoom(visit.caller.id);
      const session = await openSession(parts, visit, { prefix, onClosed: (id) => sessions.delete(id) });
      sessions.set(session.id, session);
      return session;
    },
    async stop(): Promise<void> {
      clearInterval(sweep);
      await Promise.all([...sessions.values()].map((session) => session.close()));
    },
  };
}

/**
 * Opens a session for a client that says `initialize`. It ends on DELETE, by `close`, or when its calls wait while it
 * has had no connection for `lostMs`; its calls then let go of their inquiries.
 */
async function openSession(
  parts: Parts,
  visit: Visit,
  { prefix, onClosed }: { prefix: string; onClosed: (id: string) => void },
) {
  const { inquiries, pace } = parts;
  const id = `${prefix}.${randomUUID()}`;
  const connected = new Set<ServerResponse>();
  let calls = 0;
  let usedAt = performance.now();
  let lost: NodeJS.Timeout | undefined;

  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    eventStore: createEventStore((inquiryId) => inquiries.collected.add(inquiryId)),
    retryInterval: RETRY_MS,
    keepAliveMs: pace.keepAliveMs,
  });
  const watch = (): void => {
    usedAt = performance.now();
    clearTimeout(lost);
    lost = undefined;
    if (connected.size === 0 && calls > 0) lost = setTimeout(() => void transport.close(), pace.lostMs).unref();
  };
  transport.onclose = () => {
    clearTimeout(lost);
    onClosed(id);
  };
  const server = buildServer(parts, 'legacy', visit, (change) => {
    calls += change;
    watch();
  });
  await server.connect(transport);
  return {
    id,
    /** The credential that made it; to others it does not exist. */
    owner: visit.caller.id,
    async handle(request: IncomingMessage, reply: ServerResponse, message: unknown): Promise<void> {
      if (!reply.destroyed) connected.add(reply);
      watch();
      reply.once('close', () => {
        connected.delete(reply);
        watch();
      });
      await currentReply.run(reply, () => transport.handleRequest(request, reply, message));
      // An "initialize" that was refused, for its headers perhaps, opened nothing.
      if (transport.sessionId === undefined) await transport.close();
    },
    /** Nobody is connected and nothing is under way since then; undefined: it is in use. */
    idleSince: () => (connected.size === 0 && calls === 0 ? usedAt : undefined),
    close: () => transport.close(),
  };
}

/** The reply to a session id that means nothing here: the client starts anew (404, as the protocol says). */
export function unknownSession(): RpcRefusal {
  return new RpcRefusal(404, -32001, 'Session not found: initialize again.');
}
