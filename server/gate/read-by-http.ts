import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ReadTools } from './catalogue.ts';

const LIMIT_MS = 10_000;

/** Reads the tools of an upstream over HTTP as a client of its own, with the gate's credentials and in whichever era it speaks. */
export const readToolsByHttp: ReadTools = async ({ upstream }) => {
  if (!('url' in upstream)) throw new Error('it is not reached over HTTP');
  const limit = AbortSignal.timeout(LIMIT_MS);
  const transport = new StreamableHTTPClientTransport(new URL(upstream.url), {
    requestInit: { headers: upstream.headers, redirect: 'error' },
    fetch: (url, init) => fetch(url, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, limit]) : limit }),
  });
  const client = new Client({ name: 'beckon-gate', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  try {
    await client.connect(transport, { timeout: LIMIT_MS });
    return (await client.listTools(undefined, { timeout: LIMIT_MS, signal: limit })).tools;
  } catch (error) {
    throw new Error(limit.aborted ? `no reply in ${LIMIT_MS / 1000} s` : reasonOf(error), { cause: error });
  } finally {
    // Not awaited: an upstream that hangs would hold its reader for ever.
    void transport.terminateSession().catch(() => {});
    void client.close().catch(() => {});
  }
};

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  const code = (cause as { code?: string } | undefined)?.code;
  return `${message}${code ? ` (${code})` : ''}`.replace(/\.$/, '');
}
