import { parseOrNothing } from '../../mcp/json-text.ts';
import { isId, isObject, idKey, type Id, type Message } from '../../mcp/messages.ts';
import { carry, type Destination } from './carry.ts';
import { sendTo } from './post.ts';
import { createRequest, type Request } from './request.ts';
import { createSession } from './session.ts';

const TELL_MS = 5_000;

/**
 * Passes the messages of a local client on to the hub and back, in either era, byte for byte. What was under way when
 * the hub stopped or the connection broke is sent again as soon as it is there: the call finds its inquiry
 * by an id that stands beside it (ASK5).
 */
export function createRelay({
  url,
  key,
  toClient,
  say,
}: {
  url: URL;
  key: string;
  /** Hands a message to the client. */
  toClient: (text: string) => void;
  /** Says something to whoever runs this. */
  say: (sentence: string) => void;
}) {
  const running = new Map<string, Request>();
  const send = sendTo(url, key);
  const session = createSession(send);
  const to: Destination = { url, send, session, met: false };

  async function start(request: Request): Promise<void> {
    const own = idKey(request.id);
    running.set(own, request);
    const refusal = await carry(to, request, toClient);
    if (running.get(own) === request) running.delete(own);
    if (refusal === undefined) return;
    say(refusal);
    toClient(JSON.stringify({ jsonrpc: '2.0', id: request.id, error: { code: -32000, message: refusal } }));
  }

  /** What expects no reply: a notification, or an answer to the hub. */
  async function tell({ method, params }: Message, body: string): Promise<void> {
    const request = method === 'notifications/cancelled' ? running.get(idKey(params?.['requestId'])) : undefined;
    // A modern client cancels by closing the stream.
    if (!request?.modern) {
      await send({ body, headers: session.headers(), signal: AbortSignal.timeout(TELL_MS) });
    }
    request?.gone.abort();
  }

  return {
    /** A message of the client. */
    take(text: string): void {
      const message = parseOrNothing(text);
      if (!isObject(message)) {
        const error = { code: -32700, message: 'Parse error: send one JSON-RPC message in each line.' };
        return toClient(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
      }
      void (isRequest(message) ? start(createRequest(message, text)) : tell(message, text));
    },
    /** The client is gone: everything under way is let go of. */
    async close(): Promise<void> {
      for (const request of running.values()) request.gone.abort();
      await session.end();
    },
  };
}

function isRequest(message: Message): message is Message & { id: Id; method: string } {
  return message.method !== undefined && isId(message.id);
}
