import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

type Server = { url: string; headers: Record<string, string> };
type Limits = { name: string; signal: AbortSignal; timeoutMs: number; maxBytes: number };

/** All replies of an MCP server together were longer than they may be. */
export class TooLong extends Error {}

/**
 * Runs `use` with a client of an MCP server over HTTP, at an address that the owner typed and in whichever era it speaks.
 * Follows no redirect; ends with the signal. Throws `TooLong` where its replies together are longer than `maxBytes`.
 */
export async function withMcpClient<T>(
  { url, headers }: Server,
  { name, signal, timeoutMs, maxBytes }: Limits,
  use: (client: Client, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const tooLong = new AbortController();
  const stop = AbortSignal.any([signal, tooLong.signal]);
  const counted = countBytes(maxBytes, () => tooLong.abort());
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers, redirect: 'error' },
    fetch: async (to, init) =>
      counted(await fetch(to, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, stop]) : stop })),
  });
  const client = new Client({ name, version: '1' }, { versionNegotiation: { mode: 'auto' } });
  try {
    await client.connect(transport, { timeout: timeoutMs });
    return await use(client, stop);
  } catch (error) {
    throw tooLong.signal.aborted ? new TooLong('too long', { cause: error }) : error;
  } finally {
    // Not awaited: a server that hangs would hold its caller for ever.
    void transport.terminateSession().catch(() => {});
    void client.close().catch(() => {});
  }
}

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
