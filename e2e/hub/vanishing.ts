import { once } from 'node:events';
import { connect, type Server } from 'node:net';
import { Worker } from 'node:worker_threads';

/** What lets new connections to a server on loopback hang, as if their packets were lost, and then takes them again. */
export function vanishingOf(server: Server, port: number) {
  let deaf: Promise<Deaf> | undefined;
  let back = Promise.resolve();
  const listenAgain = async (instead: Promise<Deaf>): Promise<void> => {
    await (await instead).end();
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  return {
    begin(): void {
      deaf = listenDeafly(server, port);
    },
    end(): Promise<void> {
      if (deaf) back = listenAgain(deaf);
      deaf = undefined;
      return back;
    },
  };
}

type Deaf = { end(): Promise<void> };

/** Takes a port so that connections to it are never opened, until its end gives the port back. */
async function listenDeafly(server: Server, port: number): Promise<Deaf> {
  const woken = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('deaf.ts', import.meta.url), { workerData: { port, woken } });
  await once(worker, 'message');
  server.close();
  worker.postMessage('listen');
  await once(worker, 'message');
  // So many may wait for it; the packets of all others are dropped.
  const waiting = [1, 2].map(() => connect(port, '127.0.0.1').on('error', () => {}));
  return {
    async end() {
      const ended = once(worker, 'exit');
      Atomics.store(woken, 0, 1);
      Atomics.notify(woken, 0);
      for (const socket of waiting) socket.destroy();
      await ended;
    },
  };
}
