import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

const LAST_REPLIES_MS = 3_000;

/**
 * Lets a closing server write the replies it is making before it cuts its connections, for at most `ms`: a call that
 * waited is told that the hub stops, however slow the database is. A stream that is only listened to has no last word.
 */
export function writeLastReplies(
  app: Pick<FastifyInstance, 'addHook'> & { server: { on(event: 'request', heard: Heard): unknown } },
  ms = LAST_REPLIES_MS,
): void {
  const underWay = new Set<ServerResponse>();
  app.server.on('request', ({ method, headers }, reply) => {
    if (method === 'GET' && headers.accept?.includes('text/event-stream')) return;
    underWay.add(reply);
    reply.once('close', () => underWay.delete(reply));
  });
  app.addHook('preClose', async () => {
    for (const end = performance.now() + ms; underWay.size > 0 && performance.now() < end;) await pause(10);
  });
}

type Heard = (request: IncomingMessage, reply: ServerResponse) => void;
