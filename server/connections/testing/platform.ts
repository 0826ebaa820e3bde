import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { listen } from '../../platform/testing/listen.ts';

/** A platform that says exactly these bytes to each connection once a request has come. */
export async function rawPlatform(t: TestContext, say: (socket: Socket, request: string) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let request = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      request += chunk.toString('latin1');
      say(socket, request);
    });
  });
  t.after(() => sockets.forEach((socket) => socket.destroy()));
  return `http://127.0.0.1:${await listen(t, server)}`;
}

/** Sends these bytes and resolves with all that came back until the connection closed. */
export async function rawCall(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(request, 'latin1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}
