import { Agent, request } from 'undici';

const http = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
const REVISION = '2026-07-28';

/** An MCP endpoint and the key for it. */
export type Endpoint = { url: string; key?: string };
export type ToolResult = { content: { text?: string }[]; isError?: boolean };

/** Sends a `tools/call` as a client of the latest revision does, and resolves with its result, however long it takes. */
export async function callTool(
  { url, key }: Endpoint,
  name: string,
  args: object,
  meta: object = {},
): Promise<ToolResult> {
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name, arguments: args, _meta: { ...envelope, ...meta } };
  const { statusCode, body } = await request(url, {
    dispatcher: http,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': 'tools/call',
      'mcp-name': name,
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const text = await body.text();
  const { result } = resultIn(text);
  if (!result) throw new Error(`${name} ended with ${statusCode}: ${text}`);
  return result;
}

// A plain JSON body, or the last event of a stream.
function resultIn(text: string): { result?: ToolResult } {
  const events = text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []));
  return JSON.parse(events.findLast((event) => event.includes('"result"')) ?? (events[0] || text)) as {
    result?: ToolResult;
  };
}

/** The plain way to wait, which the others are measured against: an ask over HTTP that returns with its answer. */
export async function askAndWait({ url, key }: Endpoint, ask: object): Promise<ToolResult> {
  const { statusCode, body } = await request(`${url}/v1/inquiries?wait=120`, {
    dispatcher: http,
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(ask),
  });
  const { resolution } = (await body.json()) as { resolution?: { text: string } };
  if (!resolution) throw new Error(`the ask ended with ${statusCode} and no answer`);
  return { content: [{ text: resolution.text }] };
}
