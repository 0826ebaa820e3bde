import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A cable to a server on loopback, which can be cut or go silent. */
export type Cable = {
  /** The same address on this cable. */
  url: string;
  /** Breaks every connection; new ones go through. */
  cut(): void;
  /** Keeps its connections open, new ones too, and carries nothing, as to a machine that froze; `speak` carries on. */
  silence(): void;
  speak(): void;
  close(): Promise<void>;
};

export async function layCable(to: string): Promise<Cable> {
  const target = new URL(to);
  const open = new Set<Socket>();
  let silent = false;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from.once('close', () => open.delete(from)));
      from.on('error', () => {});
      from.on('data', (bytes) => into.write(bytes)).on('end', () => into.end());
      if (silent) from.pause();
      from.once('close', () => into.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(to);
  url.port = String((server.address() as { port: number }).port);
  const cut = (): void => open.forEach((socket) => socket.destroy());
  return {
    url: url.href,
    cut,
    silence() {
      silent = true;
      for (const socket of open) socket.pause();
    },
    speak() {
      silent = false;
      for (const socket of open) socket.resume();
    },
    async close() {
      if (!server.listening) return;
      server.close();
      cut();
      await once(server, 'close');
    },
  };
}
