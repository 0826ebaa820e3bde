import type { FastifyReply } from 'fastify';
import { closeUndrained, writeJson } from './late-reply.ts';

/** Proxies give up on a silent connection after half a minute or a minute. */
const KEEP_ALIVE_MS = 15_000;

/** Replies with server-sent events (HTML, 9.2) from now on; comments keep the connection alive until `end`. */
export function openEvents(reply: FastifyReply) {
  const { raw } = reply.hijack();
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  closeUndrained(raw);
  const beat = setInterval(() => raw.writableNeedDrain || raw.write(':\n\n'), KEEP_ALIVE_MS).unref();
  return {
    /** JSON has no line ends of its own, so it is one line of data. */
    send(event: string, data: object): void {
      raw.cork();
      raw.write(`id: ${event}\nevent: ${event}\ndata: `);
      raw.write(writeJson(data));
      raw.write('\n\n');
      raw.uncork();
    },
    end(): void {
      clearInterval(beat);
      raw.end();
    },
  };
}
