/**
 * What the hub is measured against: a bare socket.io server with a map in memory that does the same
 * cycle and keeps none of its promises. Run as a child process; prints its port.
 */
import { createServer, type ServerResponse } from 'node:http';
import { Server } from 'socket.io';

const asked = new Map<string, { person: string; reply: ServerResponse }>();
let last = 0;

const http = createServer((request, reply) => {
  if (request.url === '/readyz') {
    reply.end('ready');
    return;
  }
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    const { to, prompt } = JSON.parse(body) as { to: string[]; prompt: string };
    const id = `inq_${++last}`;
    const person = to[0] ?? '';
    asked.set(id, { person, reply });
    io.to(person).emit('inquiry', { inquiry: { id, prompt } });
  });
});
const io = new Server(http, { path: '/live', transports: ['websocket'], serveClient: false });
io.on('connection', (socket) => {
  void socket.join(String(socket.handshake.auth['token']).split(' ')[0] ?? '');
  socket.emit('snapshot', { version: 0, inquiries: [] });
  socket.on('answer', ({ inquiryId, text }: { inquiryId: string; text: string }, ack: (reply: unknown) => void) => {
    const waiting = asked.get(inquiryId);
    asked.delete(inquiryId);
    ack({ won: waiting !== undefined });
    if (!waiting) return;
    const resolution = { outcome: 'answered', answer: { text } };
    socket.to(waiting.person).emit('withdraw', { inquiryId, resolution });
    waiting.reply.setHeader('content-type', 'application/json');
    waiting.reply.end(JSON.stringify({ id: inquiryId, resolution }));
  });
});
http.listen(0, '127.0.0.1', () => process.stdout.write(`${(http.address() as { port: number }).port}\n`));
