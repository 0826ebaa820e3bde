import type pg from 'pg';
import { AppError } from '#shared/problem.ts';
import { migrate, type MigrationTarget } from '../migrate.ts';
import { splitServers } from '../database-hosts.ts';
import type { Servers } from './servers.ts';

/**
 * Connects once to refuse a server that may lose acknowledged commits, and to migrate it; one sentence on failure.
 * Returns what a failover may lose, as one sentence, where standbys do not have each commit before it is acknowledged.
 */
export async function prepareServer(url: string, servers: Servers): Promise<string | undefined> {
  const client = await connect(url, servers);
  try {
    await refuseForgetful(client);
    await migrate(migrationTarget(client));
    return await failoverLoses(client, servers.several);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw refusal(`Postgres at ${namePlace(url)} could not be prepared: ${readMessage(error)}.`, error);
  } finally {
    await client.end().catch(() => {});
  }
}

async function connect(url: string, servers: Servers): Promise<pg.Client> {
  if (!/^postgres(ql)?:\/\//.test(url))
    throw refusal('DATABASE_URL must begin with postgres://, for instance postgres://user:password@host:5432/beckon.');
  try {
    const client = new servers.Client(servers.config);
    client.on('error', () => {});
    await client.connect();
    return client;
  } catch (error) {
    throw refusal(
      `Postgres at ${namePlace(url)} cannot be reached (${readMessage(error)}); start it or correct DATABASE_URL.`,
      error,
    );
  }
}

async function refuseForgetful(client: pg.Client): Promise<void> {
  for (const name of ['fsync', 'synchronous_commit']) {
    const { rows } = await client.query<{ value: string }>('select current_setting($1) as value', [name]);
    if (rows[0]?.value === 'off')
      throw refusal(
        `Postgres runs with ${name}=off and may lose what it acknowledged; set ${name}=on and start the hub again.`,
      );
  }
}

async function failoverLoses(client: pg.Client, several: boolean): Promise<string | undefined> {
  const { rows } = await client.query<{ commit: string; standbys: string; sending: boolean }>(
    `select current_setting('synchronous_commit') as commit, current_setting('synchronous_standby_names') as standbys,
      exists (select 1 from pg_stat_replication where application_name <> 'pg_basebackup') as sending`,
  );
  const [set] = rows;
  if (!set || !(several || set.sending) || (set.standbys !== '' && set.commit !== 'local')) return undefined;
  const setting = set.standbys === '' ? 'synchronous_standby_names is empty' : 'synchronous_commit is local';
  return `a failover of Postgres may lose asks and answers of the last moments that were acknowledged: ${setting}`;
}

/** One connection as the migrations use it. */
export function migrationTarget(client: pg.Client): MigrationTarget {
  return {
    engine: 'postgres',
    // Any number, the same on every node: "beckon" on a phone's keys.
    begin: 'begin; select pg_advisory_xact_lock(232566)',
    query: async (sql) => (await client.query<Record<string, unknown>>(sql)).rows,
    exec: async (sql) => void (await client.query(sql)),
  };
}

function namePlace(url: string): string {
  const hosts = splitServers(url).map((one) =>
    URL.canParse(one) ? new URL(one).host || 'its socket' : 'DATABASE_URL',
  );
  return hosts.join(',');
}

function readMessage(error: unknown): string {
  // A name with several addresses fails with an AggregateError, whose own message is empty.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : String(first);
}

function refusal(detail: string, cause?: unknown): AppError {
  return new AppError(503, 'database.unavailable', detail, { cause });
}
