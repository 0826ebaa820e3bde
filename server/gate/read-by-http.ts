import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ReadTools } from './catalogue.ts';

const LIMIT_MS = 10_000;
const LIMIT_BYTES = 16 * 1024 * 1024;

/** Reads the tools of an upstream over HTTP as a client of its own, with the gate's credentials and in whichever era it speaks. */
export const readToolsByHttp: ReadTools = async ({ upstream }) => {
  const limit = AbortSignal.timeout(LIMIT_MS);
  const tooLong = new AbortController();
  const stop = AbortSignal.any([limit, tooLong.signal]);
  const counted = countBytes(LIMIT_BYTES, () => tooLong.abort());
  const transport = new StreamableHTTPClientTransport(new URL(upstream.url), {
    requestInit: { headers: upstream.headers, redirect: 'error' },
    fetch: async (url, init) =>
      counted(await fetch(url, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, stop]) : stop })),
  });
  const client = new Client({ name: 'beckon-gate', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  try {
    await client.connect(transport, { timeout: LIMIT_MS });
    return (await client.listTools(undefined, { timeout: LIMIT_MS, signal: stop })).tools;
  } catch (error) {
    if (tooLong.signal.aborted) throw new Error('its tools are more than 16 MB', { cause: error });
    throw new Error(limit.aborted ? `no reply in ${LIMIT_MS / 1000} s` : reasonOf(error), { cause: error });
  } finally {
    // Not awaited: an upstream that hangs would hold its reader for ever.
    void transport.terminateSession().catch(() => {});
    void client.close().catch(() => {});
  }
};

/** Lets replies pass until all of them together are longer than this. */
function countBytes(most: number, onTooMany: () => void): (reply: Response) => Response {
  let bytes = 0;
  return (reply) => {
    if (!reply.body) return reply;
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes <= most) return controller.enqueue(chunk);
        controller.error(new Error('too long'));
        onTooMany();
      },
    });
    const { status, statusText, headers } = reply;
    return new Response(reply.body.pipeThrough(count), { status, statusText, headers });
  };
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  const code = (cause as { code?: string } | undefined)?.code;
  return `${message}${code ? ` (${code})` : ''}`.replace(/\.$/, '');
}
