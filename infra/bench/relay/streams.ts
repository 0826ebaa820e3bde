import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';

const OPENED_AT_ONCE = 50;

const agent = new Agent();
const REQUEST = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'Hello' }] });

/** One stream of chat completions, held open; `hear` gets the ms that each of its chunks took. */
export type Stream = { hear(ms: number): void; close(): void };

/** Opens so many streams and resolves when each has said something. */
export async function openStreams(url: string, count: number): Promise<Stream[]> {
  const opened: Stream[] = [];
  while (opened.length < count) {
    const some = Array.from({ length: Math.min(OPENED_AT_ONCE, count - opened.length) }, () => openStream(url));
    opened.push(...(await Promise.all(some)));
  }
  return opened;
}

async function openStream(url: string): Promise<Stream> {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-bench', accept: 'text/event-stream' };
  const call = request(url, { agent, method: 'POST', headers });
  call.end(REQUEST);
  const [reply] = (await once(call, 'response')) as [IncomingMessage];
  if (reply.statusCode !== 200) throw new Error(`a stream of ${url} began with ${reply.statusCode}`);
  call.on('error', () => {});
  reply.on('error', () => {});
  const stream: Stream = { hear: () => undefined, close: () => call.destroy() };
  reply.on('data', (chunk: Buffer) => {
    const now = process.hrtime.bigint();
    // Every process of Linux has the same monotonic clock.
    for (const [, left = ''] of chunk.toString().matchAll(/"content":"(\d+)"/g))
      stream.hear(Number(now - BigInt(left)) / 1e6);
  });
  await once(reply, 'data');
  return stream;
}
