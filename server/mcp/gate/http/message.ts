import type { IncomingHttpHeaders } from 'node:http';
import { classifyMessage } from '../../request.ts';
import {
  faultOfCall,
  readId,
  INVALID_PARAMS,
  INVALID_REQUEST,
  type Message,
  readMessages,
  type RpcError,
} from '../../messages.ts';
import { decodedHeader, HEADER_MISMATCH } from './headers.ts';

/** A refusal in JSON-RPC's words. */
export type RpcRefusal = RpcError & { status: number };
/** What a client posted, read but not changed. */
export type Posted = {
  text: string;
  /** Without members for a batch. */
  message: Message;
  batch: boolean;
  /** Revision 2026-07-28 or later: each request stands for itself. */
  modern: boolean;
};

/**
 * Reads what a client posted, in which a call of a tool is known by its method. One that its headers or its shape
 * could make something else is refused; all else the upstream judges by itself.
 */
export function readPosted(body: Buffer, headers: IncomingHttpHeaders): Posted | RpcRefusal {
  const read = readMessages(body);
  if ('code' in read) {
    const kind = read.code === INVALID_REQUEST ? 'Invalid request' : 'Parse error';
    return {
      status: 400,
      id: null,
      code: read.code,
      message: `${kind}: the body cannot be read for certain. ${read.why}`,
    };
  }
  const { text, messages, batch } = read;
  const message = batch ? {} : messages[0];
  const id = readId(message);
  const method = readHeader(headers, 'mcp-method');
  if (method !== undefined && method !== message.method)
    return { ...mismatch('Mcp-Method', method, String(message.method)), id };
  const route = classifyMessage(headers, batch ? messages : message);
  const modern = route.kind === 'modern';
  if (message.method !== 'tools/call') return { text, message, batch, modern };
  if (route.kind === 'reject') {
    const { httpStatus: status, code, message: words, data } = route;
    return { status, id, code, message: words, ...(data === undefined ? {} : { data }) };
  }
  const fault = faultOfPostedCall(message, headers, modern);
  return fault ? { ...fault, id } : { text, message, batch, modern };
}

function faultOfPostedCall(
  message: Message,
  headers: IncomingHttpHeaders,
  modern: boolean,
): Omit<RpcRefusal, 'id'> | undefined {
  if (readId(message) === null)
    return { status: 400, code: INVALID_REQUEST, message: 'Invalid request: a call of a tool needs an id.' };
  const fault = faultOfCall(message);
  if (fault) return { status: 400, code: INVALID_PARAMS, message: `Invalid params: ${fault}` };
  const name = message.params?.['name'] as string;
  const given = readHeader(headers, 'mcp-name');
  if (given !== undefined && decodedHeader(given) !== name) return mismatch('Mcp-Name', given, name);
  if (!modern) return undefined;
  const missing = ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'].find(
    (header) => readHeader(headers, header.toLowerCase()) === undefined,
  );
  return missing
    ? { status: 400, code: HEADER_MISMATCH, message: `Bad Request: the required header ${missing} is missing` }
    : undefined;
}

function mismatch(header: string, given: string, body: string): Omit<RpcRefusal, 'id'> {
  const message = `Bad Request: the header ${header} says "${given}", the body says "${body}"`;
  return { status: 400, code: HEADER_MISMATCH, message };
}

function readHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : undefined;
}
