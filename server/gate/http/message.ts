import { classifyInboundRequest } from '@modelcontextprotocol/server';
import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/client';
import type { IncomingHttpHeaders } from 'node:http';
import { isMisread, JsonError, MISREAD } from '#shared/json.ts';
import type { ToolCall } from '../call.ts';
import { decodedHeader } from './headers.ts';
import { ambiguityOf, depthFaultOf, textAt } from './json-text.ts';

export type RpcId = string | number;
export type RpcMessage = {
  id?: RpcId | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: unknown;
};

/** A refusal in JSON-RPC's words. */
export type RpcRefusal = { status: number; id: RpcId | null; code: number; message: string; data?: unknown };
/** What a client posted, read but not changed. */
export type Posted = {
  text: string;
  message: RpcMessage;
  /** Revision 2026-07-28 or later: each request stands for itself. */
  modern: boolean;
  /** Set for a call of a tool. */
  call?: ToolCall;
};

export const INVALID_REQUEST = -32600;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
const PARSE_ERROR = -32700;
const HEADER_MISMATCH = -32020;

/**
 * Reads what a client posted. A call of a tool that could be taken for something else, by its headers, its
 * shape or its spelling, is refused here: passed on, it would run without having been seen. All else the
 * upstream judges by itself.
 */
export function readPosted(body: Buffer, headers: IncomingHttpHeaders): Posted | RpcRefusal {
  const text = utf8(body);
  const deep = text === undefined ? undefined : depthFaultOf(text);
  if (deep) return refusal(INVALID_REQUEST, `Invalid request: the body cannot be read. ${deep}`);
  const parsed = text === undefined ? undefined : json(text);
  if (text === undefined || parsed === undefined) return refusal(PARSE_ERROR, 'Parse error: the body is not JSON.');
  const ambiguity = isMisread(text, parsed.value) ? MISREAD : ambiguityOf(text);
  if (ambiguity) return refusal(INVALID_REQUEST, `Invalid request: the body can be read in two ways. ${ambiguity}`);
  if (Array.isArray(parsed.value)) return readBatch(text, parsed.value);
  const message = (parsed.value ?? {}) as RpcMessage;
  const route = classifyInboundRequest({
    httpMethod: 'POST',
    ...named('protocolVersionHeader', headers['mcp-protocol-version']),
    ...named('mcpMethodHeader', headers['mcp-method']),
    ...named('mcpNameHeader', headers['mcp-name']),
    body: parsed.value,
  });
  const id = idOf(message);
  const ofTools = message.method === 'tools/call' || headerOf(headers, 'mcp-method') === 'tools/call';
  if (!ofTools) return { text, message, modern: route.kind === 'modern' };
  if (route.kind === 'reject') {
    const { httpStatus: status, code, message: words, data } = route;
    return { status, id, code, message: words, ...(data === undefined ? {} : { data }) };
  }
  const modern = route.kind === 'modern';
  const fault = faultOfCall(message, headers, modern);
  if (fault) return { ...fault, id };
  const argsText = argumentsOf(text, message);
  if (typeof argsText === 'object') return { ...argsText, id };
  return { text, message, modern, call: { name: message.params?.['name'] as string, argsText } };
}

/** The body of a refusal, as JSON-RPC writes an error. */
export function errorMessage({ id, code, message, data }: Omit<RpcRefusal, 'status'>): Record<string, unknown> {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}

export function idOf({ id }: RpcMessage): RpcId | null {
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** The name a modern client gives itself on every request, or an older one in `initialize`: shown, never trusted. */
export function clientName({ method, params }: RpcMessage): string | undefined {
  const meta = params?.['_meta'] as Record<string, unknown> | undefined;
  const info = (method === 'initialize' ? params?.['clientInfo'] : meta?.[CLIENT_INFO_META_KEY]) as
    | { name?: unknown; title?: unknown }
    | undefined;
  const name = info?.title ?? info?.name;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function argumentsOf(text: string, message: RpcMessage): string | RpcRefusal {
  try {
    return textAt(text, ['params', 'arguments'], message) ?? '{}';
  } catch (error) {
    if (error instanceof JsonError) return refusal(INVALID_REQUEST, `Invalid request: ${error.message}`);
    throw error;
  }
}

function readBatch(text: string, elements: unknown[]): Posted | RpcRefusal {
  const calls = elements.some((one) => Array.isArray(one) || (one as RpcMessage | null)?.method === 'tools/call');
  return calls
    ? refusal(INVALID_REQUEST, 'Invalid request: a call of a tool may not stand in a batch here; send it by itself.')
    : { text, message: {}, modern: false };
}

function faultOfCall(
  message: RpcMessage,
  headers: IncomingHttpHeaders,
  modern: boolean,
): Omit<RpcRefusal, 'id'> | undefined {
  const { name, arguments: args } = message.params ?? {};
  if (message.method !== 'tools/call') return mismatch('Mcp-Method', 'tools/call', String(message.method));
  if (idOf(message) === null) return refusal(INVALID_REQUEST, 'Invalid request: a call of a tool needs an id.');
  if (typeof name !== 'string' || !/^[^\p{Cc}]{1,200}$/u.test(name) || !name.isWellFormed())
    return { status: 400, code: INVALID_PARAMS, message: 'Invalid params: a tool has a name of 1 to 200 characters.' };
  if (args !== undefined && (typeof args !== 'object' || args === null || Array.isArray(args)))
    return { status: 400, code: INVALID_PARAMS, message: 'Invalid params: the arguments of a tool are an object.' };
  const given = headerOf(headers, 'mcp-name');
  if (given !== undefined && decodedHeader(given) !== name) return mismatch('Mcp-Name', given, name);
  const method = headerOf(headers, 'mcp-method');
  if (method !== undefined && method !== 'tools/call') return mismatch('Mcp-Method', method, 'tools/call');
  if (!modern) return undefined;
  const missing = ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'].find(
    (header) => headerOf(headers, header.toLowerCase()) === undefined,
  );
  return missing
    ? { status: 400, code: HEADER_MISMATCH, message: `Bad Request: the required header ${missing} is missing` }
    : undefined;
}

function mismatch(header: string, given: string, body: string): Omit<RpcRefusal, 'id'> {
  const message = `Bad Request: the header ${header} says "${given}", the body says "${body}"`;
  return { status: 400, code: HEADER_MISMATCH, message };
}

function refusal(code: number, message: string): RpcRefusal {
  return { status: 400, id: null, code, message };
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : undefined;
}

function named(member: string, value: string | string[] | undefined): Record<string, string> {
  return typeof value === 'string' ? { [member]: value } : {};
}

function utf8(body: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}

function json(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
