import { once } from 'node:events';
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

export type Sent = { method: string; path: string; headers: OutgoingHttpHeaders; body: Buffer | undefined };
export type Got = { status: number; type: string; text: string };

/** A call that waits for an answer is left after this. */
const PATIENCE_MS = 400;
const LOST_MS = 15_000;

/**
 * Sends what `fetch` would refuse to send. Undefined: the call waited for an answer and was left; status 599: there was
 * no reply at all.
 */
export async function send(hub: { url: string }, { method, path, headers, body }: Sent): Promise<Got | undefined> {
  const { hostname, port } = new URL(hub.url);
  const waits = method === 'GET' && /[?&]wait=|\/events(\?|$)/.test(path);
  const signal = AbortSignal.timeout(waits ? PATIENCE_MS : LOST_MS);
  const call = request({ hostname, port, method, path, headers, agent: false, signal });
  try {
    const replied = once(call, 'response') as Promise<[IncomingMessage]>;
    call.end(body);
    const [response] = await replied;
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return {
      status: response.statusCode ?? 0,
      type: response.headers['content-type'] ?? '',
      text: Buffer.concat(chunks).toString(),
    };
  } catch (error) {
    if (waits && signal.aborted) return undefined;
    return { status: 599, type: '', text: String(error) };
  }
}

/** Sends bytes that are not HTTP as anybody writes it; the reply's status line and all that follows. */
export async function sendRaw(hub: { url: string }, bytes: string): Promise<Got> {
  const { hostname, port } = new URL(hub.url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => {});
  socket.end(bytes);
  await once(socket, 'close');
  const [head = '', ...rest] = text.split('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
    type: /^content-type: (.*)$/im.exec(head)?.[1] ?? '',
    text: rest.join('\r\n\r\n'),
  };
}
