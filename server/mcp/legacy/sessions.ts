import { isInitializeRequest } from '@modelcontextprotocol/server';
import { RpcRefusal } from '../message.ts';
import type { Parts } from '../parts.ts';
import type { Visit } from '../visit.ts';
import { openSession, type Session } from './session.ts';

const SWEEP_MS = 30_000;
/** Sessions of one credential; above it, the one that is idle longest goes. */
const PER_OWNER = 2_000;

export type Sessions = {
  /** The session of this id, if it lives here and belongs to this credential. */
  find(id: string, owner: string): Session | undefined;
  /** Opens a session for an `initialize`; throws `RpcRefusal` for any other message without a session. */
  open(visit: Visit, message: unknown): Promise<Session>;
  stop(): Promise<void>;
};

/** The sessions of this node; `prefix` names it in their ids. */
export function createSessions(parts: Parts, prefix: string): Sessions {
  const sessions = new Map<string, Session>();
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
    find(id, owner) {
      const session = sessions.get(id);
      return session?.owner === owner ? session : undefined;
    },
    async open(visit, message) {
      if (!isInitializeRequest(message))
        throw new RpcRefusal(400, -32000, 'Send "initialize" first, and its Mcp-Session-Id with everything after.');
      makeRoom(visit.caller.id);
      const session = await openSession(parts, visit, { prefix, onClosed: ({ id }) => sessions.delete(id) });
      sessions.set(session.id, session);
      return session;
    },
    async stop() {
      clearInterval(sweep);
      await Promise.all([...sessions.values()].map((session) => session.close()));
    },
  };
}

/** The reply to a session id that means nothing here: the client starts anew (404, as the protocol says). */
export function unknownSession(): RpcRefusal {
  return new RpcRefusal(404, -32001, 'Session not found: initialize again.');
}
