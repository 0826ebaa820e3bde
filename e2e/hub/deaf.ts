// A thread that listens on a port and then stands still: the kernel takes as many connections as may wait, and drops the
// packets of all others, as if nothing were there.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const { port, woken } = workerData as { port: number; woken: Int32Array };
const server = createServer((socket) => socket.destroy());
parentPort?.postMessage('loaded');
if (parentPort) await once(parentPort, 'message');
server.listen({ port, host: '127.0.0.1', backlog: 1 });
await once(server, 'listening');
parentPort?.postMessage('listening');
Atomics.wait(woken, 0, 0);
server.close();
