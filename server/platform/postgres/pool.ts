import type { PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import type { BaseLogger } from 'pino';
import type { Statement } from '../steps.ts';
import { Batch, knownBy } from './batch.ts';
import { toHubError, isConnectionLost, isStale } from './errors.ts';
import type { Servers } from './servers.ts';

const STATEMENT_MS = 15_000;
/** A node that froze in a transaction keeps its rows locked until Postgres ends its session. */
const IDLE_IN_TRANSACTION_MS = 2_000;
/** So long a statement keeps its connection while it waits for a row; its transaction begins anew, without it. */
const LOCK_MS = 1_000;
const MOST_NAMED = 200;
const LONGEST_NAMED = 2_000;

/** Numbers come back as numbers: int8 and numeric, which pg leaves as text, and booleans as SQLite's 0 and 1. */
const PARSERS: Record<number, (text: string) => number> = {
  20: Number,
  1700: Number,
  16: (text) => (text === 't' ? 1 : 0),
};

const findParser = ((oid: number, format?: 'text') =>
  PARSERS[oid] ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser;

/** A connection of the pool; its `batch` is one round trip. `onSend` is not called where the connection was lost before. */
export type CheckedClient = PostgresPoolClient & {
  batch(statements: readonly Statement[], onSend?: () => void): Promise<unknown[][]>;
};

/**
 * A `pg` pool that survives its server: a lost connection is AppError 503 `database.unavailable` on use, is never
 * used again, and the next use connects anew.
 */
export class CheckedPool {
  readonly options: object = {};
  readonly #pool: pg.Pool;
  /** The names under which every connection keeps a statement parsed and planned. */
  readonly #names = new Map<string, string>();
  #named = 0;
  readonly #steps = knownBy(findParser);
  readonly #clients = new Set<pg.PoolClient>();
  readonly #watch: { stop(): void };
  #onReturn: () => void = () => {};
  #lost = false;

  /** `waitMs`: so long a caller waits for a connection that others use; many at once are no sign of a dead server. */
  constructor(
    servers: Servers,
    log?: BaseLogger,
    { max = 10, statementMs = STATEMENT_MS, waitMs = STATEMENT_MS } = {},
  ) {
    this.#pool = new pg.Pool({
      ...servers.config,
      connectionTimeoutMillis: waitMs,
      Client: servers.Client,
      max,
      idleTimeoutMillis: 60_000,
      // The client's own time-out is the longer one: it speaks only when the server has stopped speaking.
      query_timeout: statementMs * 1.5,
      types: { getTypeParser: findParser },
      // oxlint-disable-next-line typescript/no-misused-promises -- the pool awaits it, its types do not say so
      onConnect: async (client) => {
        await client.query(
          `set statement_timeout = ${statementMs}; set lock_timeout = ${LOCK_MS};
          set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS};
          set default_transaction_isolation = 'read committed'`,
        );
      },
    });
    this.#pool.on('remove', (client) => this.#clients.delete(client));
    this.#watch = servers.watch(({ host, port }) => {
      for (const client of this.#clients)
        if (client.host !== host || client.port !== port) client.connection.stream.destroy();
    });
    this.#pool.on('error', (error) => this.#noteLoss(error, log));
    this.#pool.on('connect', (client) => {
      // The pool listens only while a client is idle; without this a loss between two statements ends the process.
      client.on('error', (error) => this.#noteLoss(error, log));
      this.#clients.add(client);
      if (!this.#lost) return;
      this.#lost = false;
      log?.info('the database is back');
      this.#onReturn();
    });
  }

  /** Calls back each time a connection succeeds after one was lost. */
  onReturn(listener: () => void): void {
    this.#onReturn = listener;
  }

  async connect(): Promise<CheckedClient> {
    try {
      return this.#check(await this.#pool.connect());
    } catch (error) {
      this.#lost ||= isConnectionLost(error);
      throw toHubError(error);
    }
  }

  async query<R>(sql: string): Promise<R[]> {
    const client = await this.connect();
    try {
      return (await client.query<R>(sql, [])).rows;
    } finally {
      client.release();
    }
  }

  async end(): Promise<void> {
    this.#watch.stop();
    if (!this.#pool.ending) await this.#pool.end();
  }

  #check(client: pg.PoolClient): CheckedClient {
    let broken = false;
    const fault = (error: unknown): unknown => {
      broken ||= isConnectionLost(error);
      this.#lost ||= broken;
      return toHubError(error);
    };
    const query = async (sql: string, parameters: readonly unknown[]): Promise<unknown> => {
      try {
        return await client.query({
          name: this.#nameOf(sql, parameters),
          text: sql,
          values: parameters as unknown[],
        } as pg.QueryConfig);
      } catch (error) {
        if (isStale(error)) {
          // Other names from now on, so that every connection plans every statement anew.
          this.#names.clear();
          // Nothing was done. A transaction is doomed by it and has to begin anew, a statement of its own has not.
          if (client.getTransactionStatus() === 'I') return query(sql, parameters);
        }
        throw fault(error);
      }
    };
    const batch: CheckedClient['batch'] = (statements, onSend = () => {}) =>
      new Promise((resolve, reject) => {
        const settle: Batch['callback'] = (error, rows = []) => (error ? reject(fault(error)) : resolve(rows));
        client.query(new Batch(statements, this.#steps, onSend, settle));
      });
    return {
      batch,
      query: query as unknown as <R>(sql: string, parameters: readonly unknown[]) => Promise<PostgresQueryResult<R>>,
      release: (destroy?: boolean) => client.release(broken || destroy === true),
    } as CheckedClient;
  }

  /** Lists of any length make ever new statements: only the first 200 that are not long get a name. */
  #nameOf(sql: string, parameters: readonly unknown[]): string | undefined {
    const named = this.#names.has(sql);
    if (!named && (parameters.length === 0 || sql.length > LONGEST_NAMED || this.#names.size === MOST_NAMED))
      return undefined;
    if (!named) this.#names.set(sql, `s${++this.#named}`);
    return this.#names.get(sql);
  }

  #noteLoss(error: Error, log?: BaseLogger): void {
    if (!this.#lost) log?.warn({ reason: error.message }, 'the database cannot be reached');
    this.#lost = true;
  }
}
