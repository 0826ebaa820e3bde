import { setTimeout as pause } from 'node:timers/promises';
import { overTurns } from '../platform/loop.ts';
import type { LiveServer } from './border/sockets.ts';

/** A device that has this much unread is not fed another snapshot, and is cut if it reads nothing between two looks. */
export const BACKLOG_LIMIT = 1_048_576;

const GOODBYE_MS = 1_000;
/** `WebSocket.CLOSED` */
const CLOSED = 3;

type LiveSocket = {
  conn: {
    close(discard?: boolean): void;
    writeBuffer: { data?: string }[];
    // The `ws` socket under engine.io's transport, which its types do not show.
    transport: { socket?: { bufferedAmount: number; readyState: number; terminate(): void } };
  };
};

/** Bytes handed to socket.io for this device that its network has not taken. */
export function measureBacklog(socket: unknown): number {
  const { transport, writeBuffer } = (socket as LiveSocket).conn;
  return writeBuffer.reduce((sum, { data }) => sum + (data?.length ?? 0), transport.socket?.bufferedAmount ?? 0);
}

/** Ends a connection without waiting for what it has not read; the device comes back and starts with a snapshot. */
export function cut(socket: unknown): void {
  const { conn } = socket as LiveSocket;
  const line = conn.transport.socket;
  conn.close(true);
  line?.terminate();
}

/** Cuts every device that is behind and took nothing since the last look: a slow one is spared, a stuck one is not fed without end. */
export function cutStuck(io: LiveServer): number {
  let count = 0;
  for (const socket of io.sockets.sockets.values()) {
    const backlog = measureBacklog(socket);
    const stuck = backlog > BACKLOG_LIMIT && socket.data.backlog > BACKLOG_LIMIT && backlog >= socket.data.backlog;
    socket.data.backlog = backlog;
    if (stuck) {
      cut(socket);
      count++;
    }
  }
  return count;
}

type Encoder = { _encode(packet: unknown, options: { wsPreEncodedFrame?: Buffer[] }): unknown };

/** Broadcasts each frame as one buffer and not as head and body, which every socket would gather anew in its write. */
export function sendWhole(io: LiveServer): void {
  const adapter = io.sockets.adapter as unknown as Encoder;
  const encode = adapter._encode.bind(adapter);
  adapter._encode = (packet, options) => {
    const packets = encode(packet, options);
    if (options.wsPreEncodedFrame) options.wsPreEncodedFrame = [Buffer.concat(options.wsPreEncodedFrame)];
    return packets;
  };
}

/**
 * Ends each line a second after the hub closed it, whether or not its client says goodbye: `ws` would wait for 30 s. Lines
 * that are lost are let go over turns of the event loop: where all of a node are cut at once, nobody waits for all of them.
 */
export function endLines(io: LiveServer, inTurn = overTurns()): void {
  io.engine.on('connection', (conn: NodeJS.EventEmitter & LiveSocket['conn']) => {
    conn.once('close', hangUp);
    const line = conn.transport.socket as unknown as NodeJS.EventEmitter;
    const [letGo] = line.listeners('close') as ((...why: unknown[]) => void)[];
    line.removeAllListeners('close').once('close', (...why: unknown[]) => inTurn(() => letGo?.(...why)));
  });
}

// One function for all, because each line keeps what it listens with.
function hangUp(this: LiveSocket['conn']): void {
  const line = this.transport.socket;
  if (line !== undefined && line.readyState !== CLOSED) setTimeout(() => line.terminate(), GOODBYE_MS).unref();
}

/** Closes every line so that its page comes back by itself, and ends after a second those that do not say goodbye. */
export async function closeAll(io: LiveServer): Promise<void> {
  const lines = ([...io.sockets.sockets.values()] as unknown as LiveSocket[]).map(({ conn }) => conn.transport.socket);
  await io.sockets.adapter.close();
  io.engine.close();
  const open = () => lines.some((line) => line !== undefined && line.readyState !== CLOSED);
  for (let waited = 0; open() && waited < GOODBYE_MS; waited += 20) await pause(20);
  for (const line of lines) line?.terminate();
}
