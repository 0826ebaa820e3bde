import { classifyInboundRequest } from '@modelcontextprotocol/server';
import type { Tool } from '@modelcontextprotocol/client';
import { decodedHeader, withParamHeaders, type Headers } from '../http/headers.ts';
import type { Message } from './messages.ts';

const HEADER_MISMATCH = -32020;
const UNSUPPORTED_VERSION = -32022;
/** The revisions whose HTTP this is; a program that knows others cannot be reached by them here. */
const SUPPORTED = ['2026-07-28'];

/** What a posted message is: of which era, or why it is refused, with the status that goes with it. */
export type Route = { kind: 'modern' | 'legacy' } | { kind: 'reject'; status: number; error: Message['error'] };

/** The member that the header `Mcp-Name` repeats (2026-07-28, Streamable HTTP, standard headers). */
const NAMED: Record<string, string> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** Judges a posted message by its body and its headers, as a server of 2026-07-28 has to. */
export function routeOf(headers: Headers, body: unknown): Route {
  const given = (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === 'string' ? value.trim() : undefined;
  };
  const version = given('mcp-protocol-version');
  const method = given('mcp-method');
  const name = given('mcp-name');
  const route = classifyInboundRequest({
    httpMethod: 'POST',
    ...(version === undefined ? {} : { protocolVersionHeader: version }),
    ...(method === undefined ? {} : { mcpMethodHeader: method }),
    ...(name === undefined ? {} : { mcpNameHeader: name }),
    body,
  });
  if (route.kind === 'legacy') return { kind: 'legacy' };
  if (route.kind === 'reject') {
    const { httpStatus, code, message, data } = route;
    return { kind: 'reject', status: httpStatus, error: { code, message, ...(data === undefined ? {} : { data }) } };
  }
  const requested = route.classification.revision ?? 'unknown';
  if (!SUPPORTED.includes(requested)) {
    const data = { supported: SUPPORTED, requested };
    const message = `Unsupported protocol version: ${requested}`;
    return { kind: 'reject', status: 400, error: { code: UNSUPPORTED_VERSION, message, data } };
  }
  const fault = route.messageKind === 'request' ? faultOf(body as Message, { version, method, name }) : undefined;
  if (!fault) return { kind: 'modern' };
  return { kind: 'reject', status: 400, error: { code: HEADER_MISMATCH, message: `Bad Request: ${fault}` } };
}

type Given = { version: string | undefined; method: string | undefined; name: string | undefined };

function faultOf(message: Message, { version, method, name }: Given): string | undefined {
  if (version === undefined) return 'the required header MCP-Protocol-Version is missing';
  if (method === undefined) return 'the required header Mcp-Method is missing';
  const member = NAMED[message.method ?? ''];
  const named = member === undefined ? undefined : message.params?.[member];
  if (typeof named !== 'string') return undefined;
  if (name === undefined) return 'the required header Mcp-Name is missing';
  return decodedHeader(name) === named ? undefined : `the header Mcp-Name says "${name}", the body says "${named}"`;
}

/**
 * Why the headers `Mcp-Param-*` of a call say something else than its arguments (2026-07-28, "x-mcp-header"), or
 * undefined. A program behind a gate never sees headers, so the gate has to look.
 */
export function paramFaultOf(headers: Headers, tool: Tool | undefined, argsText: string): Message['error'] | undefined {
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
