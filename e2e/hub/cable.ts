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
  /** From now on, until `heal`: refuses and breaks connections, or carries bytes late, in one direction, or not at all. */
  fault(fault: Fault): void;
  heal(): void;
  close(): Promise<void>;
};

/** `late` returns after how many ms the next bytes go on; what waits then keeps its order, as TCP does with what was lost. */
export type Fault = 'refuses' | 'silent' | 'silent to it' | 'silent from it' | { late: () => number };

export async function layCable(to: string): Promise<Cable> {
  const target = new URL(to);
  const open = new Map<Socket, 'to it' | 'from it'>();
  let silent: string[] = [];
  let refuses = false;
  let late: (() => number) | undefined;
  const listen = (): void => {
    for (const [socket, way] of open)
      if (silent.includes(way)) socket.pause();
      else socket.resume();
  };
  const server = createServer((near) => {
    if (refuses) return void near.destroy();
    const far = connect(Number(target.port), target.hostname);
    for (const [from, into, way] of [
      [near, far, 'to it'],
      [far, near, 'from it'],
    ] as const) {
      open.set(from, way);
      from.once('close', () => open.delete(from));
      from.on('error', () => {});
      from.on('data', (bytes) => {
        into.write(bytes);
        if (!late) return;
        from.pause();
        setTimeout(() => !silent.includes(way) && from.resume(), late());
      });
      from.on('end', () => into.end());
      from.once('close', () => into.destroy());
    }
    listen();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(to);
  url.port = String((server.address() as { port: number }).port);
  const cut = (): void => [...open.keys()].forEach((socket) => socket.destroy());
  const silence = (...ways: ('to it' | 'from it')[]): void => {
    silent = ways;
    listen();
  };
  return {
    url: url.href,
    cut,
    silence: () => silence('to it', 'from it'),
    speak: () => silence(),
    fault(fault) {
      if (fault === 'refuses') {
        refuses = true;
        cut();
      } else if (fault === 'silent') silence('to it', 'from it');
      else if (fault === 'silent to it') silence('to it');
      else if (fault === 'silent from it') silence('from it');
      else ({ late } = fault);
    },
    heal() {
      refuses = false;
      late = undefined;
      silence();
    },
    async close() {
      if (!server.listening) return;
      server.close();
      cut();
      await once(server, 'close');
    },
  };
}
