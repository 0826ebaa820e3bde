import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A cable to a server on loopback, which can be cut. */
export type Cable = {
  /** The same address on this cable. */
  url: string;
  /** Breaks every connection; new ones go through. */
  cut(): void;
  close(): Promise<void>;
};

export async function layCable(to: string): Promise<Cable> {
  const target = new URL(to);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from.once('close', () => open.delete(from)));
      from.on('error', () => {}).pipe(into);
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
    async close() {
      server.close();
      cut();
      await once(server, 'close');
    },
  };
}
