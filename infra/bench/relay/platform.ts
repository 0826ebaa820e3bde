/**
 * A platform whose streams say when each of their chunks left, one stream after the other: of "/timed" every few ms, of
 * every other address once a second. Run as a child process; prints its address.
 */
import { createServer, type ServerResponse } from 'node:http';

const TICK_MS = 2;
const IDLE_MS = 1_000;

const timed = new Set<ServerResponse>();
const idle = new Set<ServerResponse>();
const say = (stream: ServerResponse): void => {
  const choices = [{ index: 0, delta: { content: `${process.hrtime.bigint()}` }, finish_reason: null }];
  stream.write(`data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', choices })}\n\n`);
};

const http = createServer((request, stream) => {
  const streams = request.url === '/timed' ? timed : idle;
  request.resume();
  stream.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  say(stream);
  streams.add(stream);
  stream.on('close', () => streams.delete(stream));
});
setInterval(() => {
  const [next] = timed;
  if (!next) return;
  timed.delete(next);
  timed.add(next);
  say(next);
}, TICK_MS);
setInterval(() => idle.forEach(say), IDLE_MS);
http.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(http.address() as { port: number }).port}\n`);
});
