import type { IncomingHttpHeaders } from 'node:http';
import type { Tool } from '@modelcontextprotocol/client';
import { endToEnd } from '../../../platform/http/end-to-end.ts';

export const HEADER_MISMATCH = -32020;

export type Headers = ReturnType<typeof endToEnd>;

/** The client's credential for this hub, what a browser or a proxy says of its way to it, and what makes a request another. */
const OF_THE_HUB =
  /^(authorization|cookie|origin|referer|forwarded|via|x-forwarded-.*|x-real-ip|accept-encoding|sec-fetch-.*|access-control-.*|x-http-method.*|x-method-override|x-original-.*|x-rewrite-.*)$/;
/** What an upstream may not say in the hub's name, whose pages share the origin. */
const NOT_FOR_CLIENTS =
  /^(set-cookie|access-control-.*|strict-transport-security|clear-site-data|www-authenticate|content-security-policy|service-worker-allowed|refresh|link)$/;

/** The headers of a request on its way to an upstream: the hub's credentials for it, never the client's for the hub. */
export function towardsUpstream(headers: IncomingHttpHeaders, own: Record<string, string>): Headers {
  const sent = withoutMatching(endToEnd(headers), OF_THE_HUB);
  // Read on the way: what is packed cannot be.
  sent['accept-encoding'] = 'identity';
  for (const [name, value] of Object.entries(own)) sent[name.toLowerCase()] = value;
  return sent;
}

/** The headers of an upstream's reply on their way to the client. */
export function towardsClient(headers: IncomingHttpHeaders): Headers {
  return withoutMatching(endToEnd(headers), NOT_FOR_CLIENTS);
}

function withoutMatching(headers: Headers, names: RegExp): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.test(name)));
}

/**
 * The `Mcp-Param-*` headers made anew from edited arguments (2026-07-28, Streamable HTTP, "x-mcp-header"):
 * left as they were, the upstream would refuse what the person approved.
 */
export function withParamHeaders(headers: Headers, tool: Tool | undefined, argsText: string): Headers {
  const others = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('mcp-param-')));
  return { ...others, ...paramHeaders(tool?.inputSchema, JSON.parse(argsText)) };
}

function paramHeaders(schema: unknown, value: unknown): Record<string, string> {
  const { properties, 'x-mcp-header': name } = (schema ?? {}) as {
    properties?: Record<string, unknown>;
    'x-mcp-header'?: unknown;
  };
  const own = typeof name === 'string' ? headerValue(value) : undefined;
  const inner = Object.entries(properties ?? {}).flatMap(([member, one]) =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, member)
      ? Object.entries(paramHeaders(one, (value as Record<string, unknown>)[member]))
      : [],
  );
  return {
    ...Object.fromEntries(inner),
    ...(own === undefined ? {} : { [`mcp-param-${String(name).toLowerCase()}`]: own }),
  };
}

function headerValue(value: unknown): string | undefined {
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isSafeInteger(value))) return String(value);
  if (typeof value !== 'string') return undefined;
  const plain = /^[\x21-\x7e]([\x20-\x7e\t]*[\x21-\x7e])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value);
  return plain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

/** What stands in a header that may be written in Base64, or undefined where it is broken. */
export function decodedHeader(value: string): string | undefined {
  const packed = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  if (packed === undefined) return value;
  const canonical = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(packed);
  return canonical ? Buffer.from(packed, 'base64').toString('utf8') : undefined;
}

/**
 * Why the headers `Mcp-Param-*` of a call say something else than its arguments (2026-07-28, "x-mcp-header"), or
 * undefined.
 */
export function checkParamHeaders(
  headers: Headers,
  tool: Tool | undefined,
  argsText: string,
): { code: number; message: string } | undefined {
  for (const [name, value] of Object.entries(withParamHeaders({}, tool, argsText))) {
    const given = headers[name];
    const said = typeof given === 'string' ? decodedHeader(given.trim()) : undefined;
    const expected = decodedHeader(String(value));
    const sameNumber = said !== undefined && /^-?\d+(\.\d+)?$/.test(said) && Number(said) === Number(expected);
    if (said === expected || sameNumber) continue;
    const why = given === undefined ? 'is missing' : said === undefined ? 'is not Base64' : `says "${said}"`;
    const message = `Bad Request: the header ${name} ${why}, the body says "${expected}"`;
    return { code: HEADER_MISMATCH, message };
  }
  return undefined;
}
