import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

export const QUESTION = '明天北京天气如何？';
/** What the platform calls its question. */
export const INQUIRY = 'a4cecc76-2fb3-41bc-97ae-e809059ad68a';
/** The agent that asks, as the platform tells it. */
export const AGENT = 'Tool Calling Agent';

type Answered = { inquiryId: string; response: string };
type Heard = Answered & { path: string; headers: IncomingHttpHeaders; body: string };
export type Platform = Awaited<ReturnType<typeof startPlatform>>;

/**
 * The agent platform of the article. Its agent asks once in its stream of chat completions, and goes on with what comes
 * first: the answer that somebody else brings to `/answer`, or the one of its own front end to `/reply`.
 */
export async function startPlatform() {
  const heard: Heard[] = [];
  const waiting = new Map<string, (response: string) => void>();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    // Its front end's pages come from elsewhere.
    for (const name of ['origin', 'headers']) response.setHeader(`access-control-allow-${name}`, '*');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    const path = request.url ?? '';
    if (request.method === 'GET') return void response.writeHead(200, { 'content-type': 'text/html' }).end(FRONT_END);
    if (path === '/v1/chat/completions') return converse(response);
    const answered = JSON.parse(body) as Answered;
    heard.push({ ...answered, path, headers: request.headers, body });
    const hear = waiting.get(answered.inquiryId);
    waiting.delete(answered.inquiryId);
    hear?.(answered.response);
    response.writeHead(hear ? 204 : 409).end();
  }

  async function converse(response: ServerResponse): Promise<void> {
    const say = (delta: object): void => void response.write(`data: ${JSON.stringify(chunkOf(delta))}\n\n`);
    const { promise, resolve } = Promise.withResolvers<string>();
    waiting.set(INQUIRY, resolve);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    say({ content: 'One moment. ' });
    say(told('INQUIRY'));
    const answer = await promise;
    say(told('INQUIRY_END'));
    say({ content: `You said: ${answer}` });
    response.end('data: [DONE]\n\n');
  }

  const server = createServer((request, response) => void serve(request, response));
  const lines = new Set<Socket>();
  server.on('connection', (line) => lines.add(line.once('close', () => lines.delete(line))));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The answers that it was brought, oldest first. */
    heard,
    /** Resets each connection, as a network does. */
    breakLines(): void {
      for (const line of lines) line.resetAndDestroy();
    },
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

function chunkOf(delta: object): object {
  const [id, created, object] = ['chatcmpl-202d02d5', 1756272472, 'chat.completion.chunk'];
  return { id, created, object, choices: [{ index: 0, delta }], agent_info: { name: AGENT, run_id: '202d02d5' } };
}

function told(type: string): object {
  const meta = { question: QUESTION, inquiryId: INQUIRY, type };
  const params = { meta, progressToken: 1, progress: 0, total: null, message: null, method: 'notifications/progress' };
  const notification = { method: 'notifications/progress', params, jsonrpc: '2.0' };
  return { chatos_additional_data: { mcp_progress_notification_data: JSON.stringify(notification) } };
}

const FRONT_END = `<!doctype html>
<meta charset="utf-8">
<title>Lumen</title>
<output></output>
<dialog aria-labelledby="asked"><h1 id="asked"></h1><form>
<input aria-label="Answer"><button>Answer</button></form></dialog>`;
