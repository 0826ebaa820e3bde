import { headersOf } from './forward.ts';
import { INTERNAL_ERROR, type Id } from '../messages.ts';
import { errorMessage } from './message.ts';
import { UpstreamError } from './upstream.ts';
import type { Visit } from './visit.ts';

const PROBE = JSON.stringify({ jsonrpc: '2.0', id: 'beckon-probe', method: 'ping' });
const LIMIT_MS = 5_000;

/**
 * Whether the upstream still knows this session: nobody should be asked about a call that cannot run.
 * Otherwise the client is told what the upstream said, and this is false.
 */
export async function probeSession(visit: Visit, id: Id | null): Promise<boolean> {
  const { gates, gate, outlet, sessionId } = visit;
  if (sessionId === undefined) return true;
  const limit = AbortSignal.timeout(LIMIT_MS);
  const signal = AbortSignal.any([limit, outlet.closed]);
  const fail = (status: number, code: number, message: string): false => {
    outlet.end(JSON.stringify(errorMessage({ id, code, message })), status);
    return false;
  };
  try {
    const headers = { ...headersOf(visit), 'content-type': 'application/json' };
    const { status, body } = await gates.upstream.send(gate, { method: 'POST', headers, body: PROBE, signal });
    void body.on('error', () => {}).destroy();
    if (status === 404) return fail(404, -32001, 'Session not found');
    return status === 400 || status === 403
      ? fail(status, INTERNAL_ERROR, `The MCP server behind the gate "${gate.name}" refuses this session (${status}).`)
      : true;
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    // Slow is not dead.
    return limit.aborted || fail(502, INTERNAL_ERROR, error.message);
  }
}
