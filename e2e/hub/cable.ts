import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { vanishingOf } from './vanishing.ts';

/** A cable to a server on loopback, which can be cut or go silent. */
export type Cable = {
  /** The same address on this cable. */
  url: string;
  /** Breaks every connection; new ones go through. */
  cut(): void;
  /** Keeps its connections open, new ones too, and carries nothing, as to a machine that froze; `speak` carries on. */
  silence(): void;
  speak(): void;
  /**
   * From now on, until `heal`: refuses and breaks connections, or carries bytes late, in one direction, or not at all.
   * "vanishes": nor does a new connection open or end; whoever tries gets no reply.
   */
  fault(fault: Fault): void;
  heal(): void;
  close(): Promise<void>;
};

/** `late` returns after how many ms the next bytes go on; what waits then keeps its order, as TCP does with what was lost. */
export type Fault = 'refuses' | 'vanishes' | 'silent' | 'silent to it' | 'silent from it' | { late: () => number };

type Way = 'to it' | 'from it';
const BOTH: Way[] = ['to it', 'from it'];
const SILENT = {
  vanishes: BOTH,
  silent: BOTH,
  'silent to it': ['to it'],
  'silent from it': ['from it'],
} satisfies Record<string, Way[]>;

export async function layCable(to: string): Promise<Cable> {
  const target = new URL(to);
  const open = new Map<Socket, Way>();
  let silent: Way[] = [];
  let refuses = false;
  let late: (() => number) | undefined;
  const silence = (...ways: Way[]): void => {
    silent = ways;
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
    silence(...silent);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const url = new URL(to);
  url.port = String(port);
  const vanishing = vanishingOf(server, port);
  const cut = (): void => [...open.keys()].forEach((socket) => socket.destroy());
  return {
    url: url.href,
    cut,
    silence: () => silence(...BOTH),
    speak: () => silence(),
    fault(fault) {
      if (typeof fault === 'object') ({ late } = fault);
      else if (fault === 'refuses') {
        refuses = true;
        cut();
      } else {
        if (fault === 'vanishes') vanishing.begin();
        silence(...SILENT[fault]);
      }
    },
    heal() {
      refuses = false;
      late = undefined;
      silence();
      void vanishing.end();
    },
    async close() {
      await vanishing.end();
      if (!server.listening) return;
      server.close();
      cut();
      await once(server, 'close');
    },
  };
}
