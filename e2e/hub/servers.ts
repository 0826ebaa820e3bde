import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { Program } from './process.ts';

const START_MS = 60_000;

/** A new, empty database in the Postgres that `npm run hub` starts. */
export async function freshDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = process.env['BECKON_TEST_POSTGRES_URL'];
  if (server === undefined) throw new Error('These tests need a Postgres: run them as "npm run hub".');
  const start = performance.now();
  const name = `beckon_${randomBytes(8).toString('hex')}`;
  await statement(server, `create database ${name} template template0`);
  performance.measure('test: make a database', { start });
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => statement(server, `drop database if exists ${name} with (force)`) };
}

async function statement(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

export type Redis = {
  url: string;
  /** `kill -9`; `start` brings an empty one back on the same port. */
  kill(): Promise<void>;
  start(): Promise<void>;
};

/** A Redis of one test, gone with it. */
export async function startRedis(): Promise<Redis> {
  const began = performance.now();
  const port = await freePort();
  let server: Program | undefined;
  const start = async (): Promise<void> => {
    server = new Program([
      'redis-server',
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      '/tmp',
      '--save',
      '',
      '--appendonly',
      'no',
    ]);
    await accepts(port);
  };
  await start();
  performance.measure('test: start Redis', { start: began });
  return { url: `redis://127.0.0.1:${port}`, start, kill: async () => void (await server?.end('SIGKILL')) };
}

/** A free loopback port below those that systems hand out by themselves, so that nobody is given it meanwhile. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

async function accepts(port: number): Promise<void> {
  for (const end = performance.now() + START_MS; performance.now() < end; await pause(20)) {
    const socket = connect(port, '127.0.0.1');
    const there = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (there) return;
  }
  throw new Error(`nothing listens at port ${port}`);
}
