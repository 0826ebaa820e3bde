import { execFile } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { Program } from '../hub/process.ts';
import { freePort } from '../hub/servers.ts';
import { until } from '../hub/until.ts';

export type PostgresServer = {
  url: string;
  port: number;
  /** `kill -9` of its first process, with which the others end. */
  kill(): Promise<void>;
  /** Resolves when it takes connections, as what it was: a primary or a standby. */
  start(): Promise<void>;
};
export type Cluster = {
  primary: PostgresServer;
  standby: PostgresServer;
  /** Both, as a hub is told of them. */
  url: string;
  /** Makes the standby a primary. */
  promote(): Promise<void>;
  remove(): Promise<void>;
};

const run = promisify(execFile);

/** A primary and its standby on loopback; `synchronous`: nothing is acknowledged that the standby has not stored. */
export async function startCluster({ synchronous }: { synchronous: boolean }): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-cluster-'));
  const account = unprivileged();
  if (account) chownSync(folder, account.uid, account.gid);
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  const tool = (name: string, ...args: string[]) => run(binary(name), args, { cwd: '/', ...account });
  await tool('initdb', '-D', first, '-U', 'beckon', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync');
  const primary = await server(first, folder, account);
  await primary.start();
  await tool('pg_basebackup', '-d', primary.url, '-D', second, '-R', '-c', 'fast', '--no-sync');
  const standby = await server(second, folder, account);
  await standby.start();
  if (synchronous) {
    await statement(primary.url, "alter system set synchronous_standby_names = '*'");
    await statement(primary.url, 'select pg_reload_conf()');
    await until('the standby to be synchronous', () =>
      statement(primary.url, "select 1 from pg_stat_replication where sync_state = 'sync'"),
    );
  }
  return {
    primary,
    standby,
    url: `postgres://beckon@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres?target_session_attrs=read-write`,
    promote: async () => void (await tool('pg_ctl', 'promote', '-D', second, '-w')),
    async remove() {
      await Promise.all([primary.kill(), standby.kill()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function server(data: string, folder: string, account: Account | undefined): Promise<PostgresServer> {
  const port = await freePort();
  const url = `postgres://beckon@127.0.0.1:${port}/postgres`;
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: folder,
    shared_buffers: '16MB',
    dynamic_shared_memory_type: 'mmap',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let program: Program | undefined;
  return {
    url,
    port,
    kill: async () => void (await program?.end('SIGKILL')),
    async start() {
      await until('Postgres to start', async () => {
        // One that was just killed may leave locks for a moment, during which a new one ends at once.
        if (!program?.running) program = new Program([...under(account), binary('postgres'), '-D', data, ...options]);
        return statement(url, 'select 1').catch(() => false);
      });
    },
  };
}

async function statement(url: string, sql: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return ((await client.query(sql)).rowCount ?? 0) > 0;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Debian keeps the server's programs off the PATH, one folder for each major version; the newest wins. */
function binary(name: string): string {
  const debian = '/usr/lib/postgresql';
  const versions = readdirSync(debian, { encoding: 'utf8' }).toSorted((a, b) => Number(b) - Number(a));
  return join(debian, versions[0] ?? '', 'bin', name);
}

const under = (account: Account | undefined): string[] =>
  account ? ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'] : [];

type Account = { uid: number; gid: number };

/** Postgres refuses to run as root; undefined when this process is not root. */
function unprivileged(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  const [, , uid, gid] = lines.find((line) => line.startsWith('postgres:'))?.split(':') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

/** PgBouncer in session mode before a server. */
export async function startBouncer(server: PostgresServer): Promise<{ url: string; remove(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-bouncer-'));
  const account = unprivileged();
  const port = await freePort();
  const file = join(folder, 'bouncer.ini');
  writeFileSync(
    file,
    `[databases]
postgres = host=127.0.0.1 port=${server.port} user=beckon
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = session
server_login_retry = 1
default_pool_size = 60
max_client_conn = 200
`,
  );
  if (account) for (const path of [folder, file]) chownSync(path, account.uid, account.gid);
  const program = new Program([...under(account), 'pgbouncer', file]);
  const url = `postgres://beckon@127.0.0.1:${port}/postgres`;
  await until('PgBouncer to start', () => statement(url, 'select 1').catch(() => false));
  return {
    url,
    async remove() {
      await program.end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
