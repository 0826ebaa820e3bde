import type { Fault } from '#shared/problem.ts';
import { refusedUrl } from '../../platform/outbound/addresses.ts';

/** Headers that belong to the connection or to MCP itself: a gate that set them would break its calls. */
const NOT_OURS =
  /^(host|connection|content-length|content-type|content-encoding|transfer-encoding|keep-alive|te|trailer|upgrade|expect|accept|accept-encoding|last-event-id|mcp-.*|proxy-connection)$/i;

/** What keeps a gate from reaching this upstream as it is written, with pointers from the gate. */
export function upstreamFaults(upstream: { url: string; headers?: Record<string, string> | undefined }): Fault[] {
  // An address the owner typed may lie in a private network (DESIGN 8).
  const refused = refusedUrl(new URL(upstream.url), () => true);
  return [
    ...(refused === undefined
      ? []
      : [{ path: '/upstream/url', code: 'gate.url', message: `cannot be used: ${refused}; send it as a header` }]),
    ...Object.keys(upstream.headers ?? {})
      .filter((name) => NOT_OURS.test(name))
      .map((name) => ({
        path: `/upstream/headers/${name}`,
        code: 'gate.header',
        message: 'is not for a gate to set: it belongs to the connection or to MCP',
      })),
  ];
}
