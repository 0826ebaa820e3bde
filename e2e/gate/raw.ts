import { request, type IncomingHttpHeaders } from 'node:http';

/** A call as an MCP client writes it, byte by byte, for what no official client would send. */
export type RawReply = {
  status: number;
  headers: IncomingHttpHeaders;
  /** All that came, once the reply has ended or broken off. */
  text: Promise<string>;
  /** What has come so far. */
  soFar(): string;
  /** Cuts the connection. */
  cut(): void;
};
export type RawCall = {
  key: string;
  headers?: Record<string, string>;
  method?: string;
  /** Says how long the body is and sends none of it: what is refused for its length is refused at once. */
  announce?: boolean;
};

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'raw-agent', version: '1' },
};

/** Sends these bytes; resolves with the head of the reply. */
export function sendRaw(
  url: string,
  body: string | Buffer,
  { key, headers, method = 'POST', announce = false }: RawCall,
): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const call = request(url, {
      method,
      agent: false,
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream',
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
    });
    call.once('error', reject);
    call.once('response', (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      const whole = new Promise<string>((done) => {
        reply.once('close', () => done(text));
        reply.on('error', () => {});
      });
      const cut = (): void => void call.destroy();
      resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text: whole, soFar: () => text, cut });
    });
    if (announce) call.setHeader('content-length', Buffer.byteLength(body)).flushHeaders();
    else call.end(body);
  });
}

/** The headers that revision 2026-07-28 wants of a call of a tool. */
export const modernHeaders = (name: string): Record<string, string> => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': name,
});

/** A call of a tool in revision 2026-07-28; `args` is the text of its arguments. */
export function modernCall(name: string, args: string, more: object = {}): string {
  const meta = JSON.stringify({ ...ENVELOPE, ...more });
  return `{ "jsonrpc" : "2.0", "id": 7,\n "method":"tools/call","params":{"_meta":${meta}, "name":${JSON.stringify(name)},"arguments": ${args}} }`;
}

/** A call of a tool of the older revisions. */
export function legacyCall(name: string, args: string, id: string | number = 7, more = ''): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{"name":${JSON.stringify(name)},"arguments":${args}${more}}}`;
}

/** Opens a session of an older revision; the result is what its calls carry. */
export async function openSession(url: string, key: string, version = '2025-06-18'): Promise<Record<string, string>> {
  const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'raw-agent', version: '1' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const opened = await sendRaw(url, body, { key });
  const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']), 'mcp-protocol-version': version };
  await opened.text;
  const ready = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await (
    await sendRaw(url, ready, { key, headers: session })
  ).text;
  return session;
}

/** The messages of a stream of events, or the one message of a JSON reply. */
export function messagesOf(
  text: string,
): { id?: unknown; method?: string; params?: unknown; result?: ToolReply; error?: { code: number } }[] {
  if (text.startsWith('{')) return [JSON.parse(text) as never];
  return [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, data = '']) => JSON.parse(data) as never);
}
type ToolReply = { content: { text: string }[]; isError?: boolean; resultType?: string; requestState?: string };

/** The words of the result in a reply. */
export const resultOf = (text: string): string => messagesOf(text).at(-1)?.result?.content[0]?.text ?? text;

/** The words of a result that a client returned. */
export function said(result: unknown): string {
  const { content } = result as { content: { text?: string }[] };
  return content.map(({ text = '' }) => text).join('\n');
}
