/**
 * What the hub is measured against: a socket.io server that does the same cycle with messages of the hub's size and
 * keeps none of its promises ("memory"), or only the rows of the cycle ("sqlite", "postgres": the durable floor). Run as
 * a child process with the kind, the database and the messages of one cycle of a hub; prints its port.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { Messages } from './target.ts';
import { Server } from 'socket.io';
import { noRows, postgresRows, sqliteRows } from './rows.ts';

const [kind, database = '', recorded = ''] = process.argv.slice(2);
const messages = JSON.parse(recorded) as Messages;
const rows = kind === 'sqlite' ? sqliteRows(database) : kind === 'postgres' ? await postgresRows(database) : noRows();

const waiting = new Map<string, { person: string; inquiry: object; reply: ServerResponse }>();
const devices = new Map<string, string[]>();
let last = 0;

async function ask(body: string, reply: ServerResponse): Promise<void> {
  const { to, prompt } = JSON.parse(body) as { to: string[]; prompt: string };
  const id = `${messages.inquiry.inquiry.id.slice(0, -8)}${String(++last).padStart(8, '0')}`;
  const person = to[0] ?? '';
  const inquiry = { ...messages.inquiry.inquiry, id, prompt };
  await rows.asked({ id, person, inquiry: JSON.stringify(inquiry), devices: devices.get(person) ?? [] });
  waiting.set(id, { person, inquiry, reply });
  io.to(person).emit('inquiry', { ...messages.inquiry, inquiry });
}

const http = createServer((request, reply) => {
  if (request.url === '/readyz') return void reply.end('ready');
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => void ask(body, reply));
});
const io = new Server(http, { path: '/live', transports: ['websocket'], serveClient: false });
io.on('connection', (socket) => {
  const [person = '', device = ''] = String(socket.handshake.auth['token']).split(' ');
  devices.set(person, [...new Set(devices.get(person)).add(device)]);
  void socket.join(person);
  socket.emit('snapshot', { ...messages.snapshot, inquiries: [] });
  socket.on(
    'answer',
    async ({ inquiryId, text }: { inquiryId: string; text: string }, ack: (reply: unknown) => void) => {
      const asked = waiting.get(inquiryId);
      const resolution = { ...messages.reply.resolution, answer: { text } };
      const won = asked !== undefined && (await rows.answered(inquiryId, asked.person, JSON.stringify(resolution)));
      ack({ ...messages.ack, won });
      if (!won) return;
      waiting.delete(inquiryId);
      socket.to(asked.person).emit('withdraw', { ...messages.withdraw, inquiryId, resolution });
      asked.reply.setHeader('content-type', 'application/json');
      asked.reply.end(JSON.stringify({ ...messages.reply, ...asked.inquiry, resolution }));
    },
  );
});
http.listen(0, '127.0.0.1', () => process.stdout.write(`${(http.address() as { port: number }).port}\n`));
