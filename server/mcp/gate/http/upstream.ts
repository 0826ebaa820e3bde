import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { wordFor } from '../../../platform/outbound/post.ts';
import type { GateConfig } from '../config/store.ts';
import type { Headers } from './headers.ts';

export type UpstreamReply = { status: number; headers: IncomingHttpHeaders; body: Readable };

type ToUpstream = {
  method: 'POST' | 'GET' | 'DELETE';
  headers: Headers;
  body?: Buffer | string | undefined;
  signal?: AbortSignal | undefined;
};

/** Why there was no reply; `message` is one sentence for whoever called. */
export class UpstreamError extends Error {}

export type Upstream = ReturnType<typeof createUpstream>;

/** Requests to the MCP servers behind gates: no time-outs, for a tool may take as long as it likes; no redirects. */
export function createUpstream() {
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 10_000 } });
  return {
    /** Sends one request; throws `UpstreamError` where no reply came that may be passed on. */
    async send({ name, upstream }: GateConfig, { method, headers, body, signal }: ToUpstream): Promise<UpstreamReply> {
      const who = `The MCP server behind the gate "${name}"`;
      try {
        const reply = await request(upstream.url, {
          method,
          headers,
          dispatcher,
          ...(body === undefined ? {} : { body }),
          ...(signal ? { signal } : {}),
        });
        const refused = faultOfStatus(reply.statusCode);
        if (refused === undefined) return { status: reply.statusCode, headers: reply.headers, body: reply.body };
        void reply.body.dump().catch(() => {});
        throw new UpstreamError(`${who} ${refused}.`);
      } catch (error) {
        if (error instanceof UpstreamError) throw error;
        throw new UpstreamError(`${who} cannot be reached: ${signal?.aborted ? 'stopped' : wordFor(error)}.`, {
          cause: error,
        });
      }
    },
    close: () => dispatcher.destroy(),
  };
}

// The credential that was refused is the gate's: to the client, whose own was good, a 401 would say the opposite.
function faultOfStatus(status: number): string | undefined {
  if (status === 401) return 'refuses the credentials that this gate has for it (401); its owner can set others';
  return status >= 300 && status < 400
    ? `answered with a redirect (${status}), which a gate does not follow`
    : undefined;
}
