import { towardsUpstream, type Headers } from './headers.ts';
import { INTERNAL_ERROR, type Id } from '../messages.ts';
import { errorMessage } from './message.ts';
import { relay, type Watch } from './relay.ts';
import { UpstreamError, type UpstreamReply } from './upstream.ts';
import type { Visit } from './visit.ts';

export type Forwarded = {
  method: 'POST' | 'GET' | 'DELETE';
  id: Id | null;
  body?: Buffer | string;
  /** In place of the client's own. */
  headers?: Headers;
  watch?: Watch | undefined;
  /** Ends the upstream's work; absent: it ends when the client closes. */
  signal?: AbortSignal | undefined;
  /** Told of each reply of the upstream before it is passed on. */
  onReply?: ((reply: UpstreamReply) => Promise<void>) | undefined;
};

/** Sends a request on to the upstream and its reply back; what cannot be reached is told in one sentence. */
export async function forward(visit: Visit, { method, id, watch, onReply, ...more }: Forwarded): Promise<void> {
  const { gates, gate, outlet } = visit;
  const headers = more.headers ?? headersOf(visit);
  const signal = more.signal ?? outlet.closed;
  let { body } = more;
  try {
    for (;;) {
      const reply = await gates.upstream.send(gate, { method, headers, body, signal });
      await onReply?.(reply);
      body = await relay(visit, id, reply, watch);
      if (body === undefined) return;
    }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    if (signal.aborted) return;
    gates.log.warn({ gate: gate.name, reason: error.message }, 'an upstream did not answer');
    outlet.end(JSON.stringify(errorMessage({ id, code: INTERNAL_ERROR, message: error.message })), 502);
  }
}

/** The client's headers with the gate's credentials in place of its own. */
export function headersOf({ headers, gate }: Visit): Headers {
  return towardsUpstream(headers, gate.upstream.headers);
}
