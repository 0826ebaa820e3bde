import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'redis';
import { ServerProcess, freePort } from './server-process.ts';

export type PrivateRedis = {
  url: string;
  stop(): Promise<void>;
  /** `kill -9`; `start` brings an empty one back on the same port. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Keeps its connections open and answers nothing, until `resume`. */
  pause(): void;
  resume(): void;
};

/**
 * Prepares a Redis of its own on a free loopback port, gone with this process; `running: false` leaves it to `start`,
 * `options` are more of its own.
 */
export async function privateRedis({ running = true, options = [] as string[] } = {}): Promise<PrivateRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-redis-'));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const command = [
    'redis-server',
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'no',
    ...options,
  ];
  const server = new ServerProcess({ command, accepts: () => ping(url), endsOn: 'TERM', folder });
  const start = performance.now();
  if (running) await server.start();
  performance.measure('test: start Redis', { start });
  return {
    url,
    kill: () => server.kill(),
    start: () => server.start(),
    pause: () => server.pause(),
    resume: () => server.resume(),
    stop: () => server.stop(),
  };
}

async function ping(url: string): Promise<void> {
  const client = createClient({ url, socket: { reconnectStrategy: false, connectTimeout: 2_000 } });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.ping();
  } finally {
    client.destroy();
  }
}
