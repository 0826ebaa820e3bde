import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { openPostgres } from '../postgres/open.ts';
import { roomyFolder } from './memory.ts';
import { type Account, ServerProcess, freePort } from './server-process.ts';

export type PrivatePostgres = {
  url: string;
  /** The process that all others of it are children of. */
  pid(): number;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
  /** `kill -9` of the server; `start` brings the same data back on the same port. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** A new, empty database in it. */
  createDatabase(): Promise<{ url: string; drop(): Promise<void> }>;
  /** A new database with every migration and no row, copied from one that was migrated once. */
  migratedDatabase(): Promise<{ url: string; drop(): Promise<void> }>;
};

const run = promisify(execFile);

/** Starts a Postgres of its own on a free loopback port, durable as the hub demands, gone with this process. */
export async function privatePostgres(
  settings: Record<string, string> = {},
  parent = roomyFolder(),
): Promise<PrivatePostgres> {
  const start = performance.now();
  const account = unprivileged();
  const folder = mkdtempSync(join(parent, 'beckon-postgres-'));
  if (account) chownSync(folder, account.uid, account.gid);
  const data = join(folder, 'data');
  const port = await freePort();
  const url = `postgres://beckon@127.0.0.1:${port}/postgres`;
  const initdb = ['-D', data, '-U', 'beckon', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  await run(binary('initdb'), initdb, { cwd: '/', ...account });

  const all = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: folder,
    max_connections: '100',
    shared_buffers: '16MB',
    dynamic_shared_memory_type: 'mmap',
    wal_level: 'minimal',
    max_wal_senders: '0',
    ...settings,
  };
  const server = new ServerProcess({
    command: [
      binary('postgres'),
      '-D',
      data,
      ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    accepts: () => statement(url, 'select 1'),
    endsOn: 'QUIT',
    folder,
    account,
  });
  await server.start();
  performance.measure('test: start Postgres', { start });
  let template: Promise<string> | undefined;
  return {
    url,
    pid: () => server.pid,
    createDatabase: () => createDatabase(url),
    migratedDatabase: async () => createDatabase(url, await (template ??= makeTemplate(url))),
    kill: () => server.kill(),
    start: () => server.start(),
    stop: () => server.stop(),
  };
}

/**
 * A new, empty database: in the server at BECKON_TEST_POSTGRES_URL, which test files can share, else in a private
 * one that `drop` stops.
 */
export async function freshDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const shared = process.env['BECKON_TEST_POSTGRES_URL'];
  if (shared) return createDatabase(shared);
  const server = await privatePostgres();
  const { url } = await server.createDatabase();
  return { url, drop: () => server.stop() };
}

async function makeTemplate(serverUrl: string): Promise<string> {
  const { url } = await createDatabase(serverUrl);
  await (await openPostgres({ url })).close();
  return new URL(url).pathname.slice(1);
}

async function createDatabase(
  serverUrl: string,
  template = 'template0',
): Promise<{ url: string; drop(): Promise<void> }> {
  const start = performance.now();
  const name = `beckon_${randomBytes(8).toString('hex')}`;
  await statement(serverUrl, `create database ${name} template ${template} strategy file_copy`);
  performance.measure('test: make a database', { start });
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => statement(serverUrl, `drop database if exists ${name} with (force)`) };
}

async function statement(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Debian keeps the server's programs off the PATH, one folder for each major version; the newest wins. */
function binary(name: string): string {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (!found)
    throw new Error(
      `${name} was not found: install Postgres, or set BECKON_TEST_POSTGRES_URL to a server that tests may create databases in`,
    );
  return found;
}

/** Postgres refuses to run as root; undefined when this process is not root. */
function unprivileged(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const account = accounts.find(([name]) => name === 'postgres') ?? accounts.find(([name]) => name === 'nobody');
  if (!account)
    throw new Error('Postgres does not run as root, and there is no account "postgres" or "nobody" to run it as');
  return { uid: Number(account[2]), gid: Number(account[3]) };
}
