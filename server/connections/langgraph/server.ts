import { Agent } from 'undici';
import { wordFor, type Sent } from '../../platform/outbound/post.ts';
import { readText, send, type HttpReply } from '../../platform/outbound/send.ts';
import { asLangGraph, ownHeaders, unsealed } from '../config.ts';
import { parseState } from './state.ts';

/** A thread's state holds its whole conversation. */
const REPLY_BYTES = 8_388_608;
const CALL_MS = 10_000;

/** What came instead of a reply that can be read. */
export class ServerError extends Error {
  readonly sent: Sent;

  constructor(sent: Sent) {
    super(sent.error ?? `status ${sent.status}`);
    this.sent = sent;
  }
}

/** One LangGraph Server. A call returns the reply's JSON, or undefined for 404, and throws `ServerError` for all else. */
export type Server = { hasKey: boolean; call(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> };

export type Servers = ReturnType<typeof createServers>;

/** Calls LangGraph Servers below the addresses that the owner typed, each call within 10 s; follows no redirect. */
export function createServers(sealingKey: Buffer) {
  const agent = new Agent({ connect: { timeout: CALL_MS }, headersTimeout: 0, bodyTimeout: 0 });
  const stopping = new AbortController();
  return {
    /** The server of a connection, whose calls all end with the signal. */
    of({ baseUrl = '', sealed }: { baseUrl?: string | undefined; sealed: string | null }, signal: AbortSignal): Server {
      const own = ownHeaders(asLangGraph(unsealed(sealingKey, sealed)), baseUrl);
      return {
        hasKey: Object.keys(own).length > 0,
        async call(method, path, body) {
          const ends = AbortSignal.any([stopping.signal, signal, AbortSignal.timeout(CALL_MS)]);
          const headers = { ...own, 'content-type': 'application/json', 'user-agent': 'beckon' };
          const sent = body ? JSON.stringify(body) : null;
          try {
            const options = { method, headers, body: sent, dispatcher: agent, signal: ends };
            return await read(path, await send(baseUrl + path, options));
          } catch (error) {
            if (error instanceof ServerError) throw error;
            const word = ends.aborted ? 'timeout' : wordFor(error);
            throw new ServerError({ error: stopping.signal.aborted ? 'stopped' : word });
          }
        },
      };
    },
    async stop(): Promise<void> {
      stopping.abort();
      await agent.destroy();
    },
  };
}

async function read(path: string, reply: HttpReply): Promise<unknown> {
  const { statusCode: status, body } = reply;
  if (status < 200 || status > 299) {
    void body.dump({ limit: 16_384 }).catch(() => undefined);
    if (status === 404) return undefined;
    throw new ServerError({ status, ...(status < 400 ? { error: 'refused: redirect' } : {}) });
  }
  const text = await readText(reply, REPLY_BYTES);
  if (text === undefined) throw new ServerError({ status, error: 'reply too large' });
  try {
    return path.endsWith('/state') ? parseState(text) : (JSON.parse(text) as unknown);
  } catch {
    throw new ServerError({ status, error: 'reply is not JSON that can be read' });
  }
}
