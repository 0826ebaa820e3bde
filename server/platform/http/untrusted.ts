import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

const MOST = 5_000;
/** What a hub keeps for those who have shown a credential, for its database and for what it sends. */
const SHARE = 1 / 4;

/**
 * Keeps those who have shown no credential, or never end what they send, from using up the descriptors: of more than a
 * quarter of them the oldest connection is closed.
 */
export function limitUntrusted(server: Server, most = untrustedShare()) {
  const untrusted = new Set<Socket>();
  const add = (socket: Socket): void => {
    if (socket.destroyed) return;
    untrusted.delete(socket);
    untrusted.add(socket);
    const [oldest] = untrusted;
    if (untrusted.size > most && oldest) {
      untrusted.delete(oldest);
      oldest.destroy();
    }
  };
  server.on('connection', (socket: Socket) => {
    add(socket);
    socket.once('close', () => untrusted.delete(socket));
  });
  // A proxy sends the requests of many over one connection.
  server.prependListener('request', ({ socket }: IncomingMessage) => add(socket));
  return {
    /** Its request has arrived in full with a credential: it is not closed to make room. Its next request begins anew. */
    trust: (socket: Socket): void => void untrusted.delete(socket),
  };
}

function untrustedShare(): number {
  return Math.min(MOST, Math.floor(descriptors() * SHARE));
}

/** How many descriptors this process may have; only Linux says so in a file. */
function descriptors(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}
