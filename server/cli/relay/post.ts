import { eventData, eventsOf } from '../../mcp/sse.ts';

/** The end of one HTTP exchange with the hub. */
export type Ended =
  /** The reply came to its end; whether it held the response, `onMessage` knows. */
  | { how: 'read'; lastEventId?: string }
  /** The hub refused: the body says why. */
  | { how: 'refused'; status: number; body: string }
  /** No hub, a hub that starts or stops, or a connection that broke. */
  | { how: 'lost'; lastEventId?: string };

export type Sending = {
  method?: 'POST' | 'GET' | 'DELETE';
  headers: Record<string, string>;
  body?: string | undefined;
  signal: AbortSignal;
  /** The head is there, and it is a reply. */
  onHead?: (headers: Headers) => void;
  /** One message of the hub, as it was written. */
  onMessage?: (text: string) => void;
};
export type Send = (sending: Sending) => Promise<Ended>;

/** Makes one exchange with the hub at a time and hands over each message as it comes. Never throws; an abort ends as "lost". */
export function sendTo(url: URL, key: string): Send {
  return async ({ method, headers, body, signal, onHead, onMessage }) => {
    const seen: { lastEventId?: string } = {};
    try {
      const reply = await fetch(url, {
        method: method ?? 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          accept: 'application/json, text/event-stream',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body ?? null,
        redirect: 'error',
        signal,
      });
      if (reply.status >= 500) return { how: 'lost' };
      if (!reply.ok) return { how: 'refused', status: reply.status, body: await reply.text() };
      onHead?.(reply.headers);
      if (!reply.headers.get('content-type')?.startsWith('text/event-stream')) {
        const text = await reply.text();
        if (text !== '') onMessage?.(text);
      } else if (reply.body) {
        for await (const event of eventsOf(asBuffers(reply.body))) {
          const id = /^id: ?(.+)$/m.exec(event.toString('utf8'))?.[1];
          if (id !== undefined) seen.lastEventId = id.trimEnd();
          const data = eventData(event);
          if (data) onMessage?.(data);
        }
      }
      return { how: 'read', ...seen };
    } catch {
      return { how: 'lost', ...seen };
    }
  };
}

async function* asBuffers(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
}
