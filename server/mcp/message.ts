import { classifyInboundRequest } from '@modelcontextprotocol/server';
import type { IncomingHttpHeaders } from 'node:http';
import { isRaw, JsonError, parseExact, plain } from '#shared/json.ts';

/** The largest body of an MCP call: an ask or an answer, and what a protocol wraps around it. */
export const MESSAGE_LIMIT = 524_288;

/** A refusal in the words of JSON-RPC, with the HTTP status it goes with. */
export class RpcRefusal extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  body(id: unknown = null): string {
    return JSON.stringify({ jsonrpc: '2.0', id, error: { code: this.code, message: this.message } });
  }
}

/**
 * The one message of a body, with the numbers in a call's arguments as they were written. Throws `RpcRefusal`: -32700
 * for what is not JSON, -32600 for a batch or for what is no object.
 */
export function readMessage(text: unknown): Record<string, unknown> {
  const exact = parse(typeof text === 'string' ? text : '');
  if (Array.isArray(exact))
    throw new RpcRefusal(400, -32600, 'Batches are not taken here; send one message in each request.');
  if (typeof exact !== 'object' || exact === null || isRaw(exact))
    throw new RpcRefusal(400, -32600, 'A message is a JSON object (JSON-RPC 2.0).');
  // The protocol computes with its own numbers (ids, tokens); only what the hub passes on stays as it was written.
  const message = plain(exact) as { params?: { arguments?: unknown } };
  const given = (exact as typeof message).params?.arguments;
  if (message.params?.arguments !== undefined) message.params.arguments = given;
  return message;
}

/** What the protocol library makes of a posted body: a message of the modern era or of an older one, or why it is refused. */
export function routeOf(headers: IncomingHttpHeaders, body: unknown) {
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

function parse(text: string): unknown {
  try {
    return parseExact(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw error.kind === 'malformed'
      ? new RpcRefusal(400, -32700, `Parse error: ${error.message}`)
      : new RpcRefusal(400, -32600, `This cannot be taken: ${error.message}`);
  }
}
