import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import type { Parts } from '../parts.ts';
import { buildServer } from '../server.ts';
import type { Visit } from '../visit.ts';
import { createEventStore, currentReply } from './events.ts';

const RETRY_MS = 1_000;

/** One client of an older revision, from `initialize` to its end. */
export type Session = {
  id: string;
  /** The credential that made it; to others it does not exist. */
  owner: string;
  handle(request: IncomingMessage, reply: ServerResponse, message: unknown): Promise<void>;
  /** Nobody is connected and nothing is under way since then; undefined: it is in use. */
  idleSince(): number | undefined;
  close(): Promise<void>;
};

/**
 * Opens a session for a client that says `initialize`. It ends on DELETE, by `close`, or when its calls wait while it
 * has had no connection for `lostMs`; its calls then let go of their inquiries.
 */
export async function openSession(
  parts: Parts,
  visit: Visit,
  { prefix, onClosed }: { prefix: string; onClosed: (session: Session) => void },
): Promise<Session> {
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
  const session: Session = {
    id,
    owner: visit.caller.id,
    async handle(request, reply, message) {
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
    idleSince: () => (connected.size === 0 && calls === 0 ? usedAt : undefined),
    close: () => transport.close(),
  };
  transport.onclose = () => {
    clearTimeout(lost);
    onClosed(session);
  };
  const server = buildServer(parts, 'legacy', visit, (change) => {
    calls += change;
    watch();
  });
  await server.connect(transport);
  return session;
}
