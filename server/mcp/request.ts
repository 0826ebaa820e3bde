import { isIP } from 'node:net';
import type { IncomingHttpHeaders } from 'node:http';
import { classifyInboundRequest } from '@modelcontextprotocol/server';
import { AppError } from '#shared/problem.ts';

export type Own = {
  /** Addresses under which this hub is reached: PUBLIC_URL, NODE_URL. */
  urls: () => (string | undefined)[];
  /** Origins of the hub's own pages. */
  origins: () => string[];
};

/**
 * Throws 403 unless `Host` is a name of this hub or an address, and `Origin`, where present, is ours. A page that
 * rebinds its own name to this machine can name neither (an address cannot be rebound).
 */
export function refuseForeign({ host, origin }: Pick<IncomingHttpHeaders, 'host' | 'origin'>, own: Own): void {
  if (!isOwnHost(host ?? '', own)) {
    throw new AppError(
      403,
      'host.refused',
      `This hub is not ${host || 'a host without name'}; call it at its PUBLIC_URL, at its address or as localhost.`,
    );
  }
  if (origin !== undefined && !own.origins().includes(origin)) {
    throw new AppError(403, 'origin.refused', `Pages of ${origin} may not call this hub.`);
  }
}

function isOwnHost(host: string, { urls }: Own): boolean {
  const name = /[@/\\?#]/.test(host) ? undefined : hostName(`http://${host}`);
  if (name === undefined) return false;
  return (
    name === 'localhost' || isIP(name.replace(/^\[|\]$/g, '')) !== 0 || urls().some((url) => hostName(url) === name)
  );
}

function hostName(url: string | undefined): string | undefined {
  return url === undefined ? undefined : URL.parse(url)?.hostname;
}

/** What the protocol library makes of a posted body: a message of the modern era or of an older one, or why it is refused. */
export function classifyMessage(headers: IncomingHttpHeaders, body: unknown) {
  const named = (member: string, header: string) => {
    const value = headers[header];
    return typeof value === 'string' ? { [member]: value } : {};
  };
  return classifyInboundRequest({
    httpMethod: 'POST',
    ...named('protocolVersionHeader', 'mcp-protocol-version'),
    ...named('mcpMethodHeader', 'mcp-method'),
    ...named('mcpNameHeader', 'mcp-name'),
    body,
  });
}
