import { Readable } from 'node:stream';
import type { UpstreamReply } from '../http/upstream.ts';
import type { Message } from './messages.ts';
import type { Shared } from './shared.ts';

/** Clients give up on a reply without a head after five minutes, and proxies after less. */
const HEAD_MS = 5_000;
const KEEP_ALIVE_MS = 15_000;
/** What a client that does not read needs to hear no more when it reads again. */
const MISSABLE = new Set<string | undefined>(['notifications/progress', 'notifications/message']);
const STREAM = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/**
 * Sends a request of 2026-07-28 to a shared program and gives its answer as Streamable HTTP does: one JSON
 * body with the status that goes with it, or a stream once there is more to tell or it takes longer. Whoever
 * closes it, or leaves more unread than is kept, takes the request back.
 */
export async function exchange(
  shared: Shared,
  message: Message,
  signal: AbortSignal | undefined,
): Promise<UpstreamReply> {
  const { promise, resolve } = Promise.withResolvers<UpstreamReply>();
  const outflow = shared.flow.open({ standing: message.method === 'subscriptions/listen' });
  const { stream } = outflow;
  let streaming = false;
  let keepAlive: NodeJS.Timeout | undefined;
  const begin = (): void => {
    if (streaming) return;
    streaming = true;
    keepAlive = setInterval(() => stream.writableNeedDrain || outflow.write(': keepalive\n\n'), KEEP_ALIVE_MS);
    resolve({ status: 200, headers: STREAM, body: stream });
  };
  const late = setTimeout(begin, HEAD_MS);
  const request = shared.request(message, (heard) => {
    const last = heard.method === undefined;
    if (last && !streaming) {
      clearTimeout(late);
      stream.destroy();
      return resolve(jsonReply(statusOf(heard), heard));
    }
    begin();
    if (outflow.lags() && MISSABLE.has(heard.method)) return;
    outflow.write(`event: message\ndata: ${JSON.stringify(heard)}\n\n`);
    if (last) outflow.end();
  });
  const takeBack = (): void => {
    request.cancel('The client closed the request.');
    stream.destroy();
    resolve(jsonReply(499, undefined));
  };
  stream.once('close', () => {
    clearTimeout(late);
    clearInterval(keepAlive);
    signal?.removeEventListener('abort', takeBack);
    // Does nothing once the response has come.
    request.cancel('The client closed the request.');
  });
  signal?.addEventListener('abort', takeBack, { once: true });
  if (signal?.aborted) takeBack();
  return promise;
}

/** A reply with one JSON body, or with none. */
export function jsonReply(status: number, body: unknown): UpstreamReply {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' };
  return { status, headers, body: Readable.from(body === undefined ? [] : [Buffer.from(JSON.stringify(body))]) };
}

// A program has no statuses; these go with its errors (2026-07-28, Streamable HTTP).
const STATUS: Record<number, number> = { [-32601]: 404, [-32020]: 400, [-32021]: 400, [-32022]: 400, [-32700]: 400 };

function statusOf({ error }: Message): number {
  return error ? (STATUS[Number(error.code)] ?? 200) : 200;
}
