import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ConnectionProvider, DefaultQueryExecutor, Kysely, Transaction } from 'kysely';
import type { BaseLogger } from 'pino';
import { AppError } from '#shared/problem.ts';
import { migrate } from '../migrate.ts';
import type { Schema } from '../schema.ts';
import type { RowsOf, Statement, Steps } from '../steps.ts';
import { makeFolder } from '../secrets/folder.ts';
import { store } from '../stored.ts';
import { steadyClock, type TimeSources } from './clock.ts';
import { SqliteConnection } from './connection.ts';
import { checkQuickly, checkSchema, damaged, isDamage } from './damage.ts';
import { readDialect } from './dialect.ts';
import { FLUSH_LIMITS, type FlushLimits, SharedFlush } from './shared-flush.ts';
import { moveWithClock } from './stepped.ts';

/** How long opening and plain reads wait for another process's lock; writes wait by `FlushLimits.busyMs`. */
const LOCK_WAIT_MS = 5_000;

/** How long the outcome of a probing write stands for the next. */
const PROBE_EVERY_MS = 2_000;

export function sqlitePath(dataDir: string): string {
  return join(dataDir, 'beckon.sqlite');
}

export type SqliteOptions = {
  dataDir: string;
  log?: BaseLogger | undefined;
  limits?: Partial<FlushLimits> | undefined;
  machine?: TimeSources | undefined;
};

/** A step of the clock moves every open row at once. */
const STEP_LIMIT_MS = 120_000;

/** Opens the embedded database, making folder and file if needed, durable at each commit and migrated. */
export async function openSqlite({ dataDir, log, limits, machine }: SqliteOptions) {
  const [writer, reader] = await openBoth(dataDir);
  const flush = new SharedFlush(writer, { ...FLUSH_LIMITS, ...limits }, log);
  const dialect = readDialect(reader);
  const read = new Kysely<Schema>({ dialect });
  const clock = steadyClock(machine);
  const within = <T>(work: (trx: Transaction<Schema>) => Promise<T>, limitMs?: number): Promise<T> =>
    flush.run((connection) => {
      const provider: ConnectionProvider = { provideConnection: (consumer) => consumer(connection) };
      const executor = new DefaultQueryExecutor(dialect.createQueryCompiler(), dialect.createAdapter(), provider);
      return work(new Transaction<Schema>({ config: { dialect }, dialect, driver: dialect.createDriver(), executor }));
    }, limitMs);
  const transaction = <T>(work: (trx: Transaction<Schema>) => Promise<T>): Promise<T> => within(work);

  // Another value each time: SQLite does not write what is the same.
  const writeProbe = () => transaction((trx) => store(trx, 'probe', String(performance.now())));
  let probe: { until: number; done?: Promise<unknown> } = { until: 0 };

  return {
    engine: 'sqlite' as const,
    clock,
    read,
    transaction,
    steps: <T>(work: () => Steps<T>): Promise<T> => flush.runSteps(work),
    async rows<S extends readonly Statement[]>(...statements: S): Promise<RowsOf<S>> {
      return statements.map((statement) => reader.rows(statement)) as RowsOf<S>;
    },
    async followClock() {
      const byMs = clock.stepped();
      if (byMs === 0) return [];
      log?.warn({ byMs }, "this machine's clock was stepped; what is open is moved with it");
      const before = clock.now();
      let moved = 0;
      try {
        // All or nothing, however much is open: half of it would be judged by another clock than the rest.
        return await within((trx) => {
          clock.move((moved = byMs));
          return moveWithClock(trx, { byMs, before });
        }, STEP_LIMIT_MS);
      } catch (error) {
        clock.move(-moved);
        throw error;
      }
    },
    async ping(): Promise<void> {
      reader.query('select 1', []);
      // A full disk is readable: only a write, now and then, tells.
      if (performance.now() >= probe.until) probe = { until: performance.now() + PROBE_EVERY_MS, done: writeProbe() };
      await probe.done;
    },
    async close(): Promise<void> {
      await flush.close();
      reader.close();
      writer.close();
    },
  };
}

async function openBoth(dataDir: string): Promise<[SqliteConnection, SqliteConnection]> {
  const path = sqlitePath(dataDir);
  let file: DatabaseSync | undefined;
  try {
    makeFolder(dataDir);
    // SQLite gives its log the rights of the file, which it would itself make readable for everybody.
    closeSync(openSync(path, 'a', 0o600));
    file = new DatabaseSync(path, { timeout: LOCK_WAIT_MS });
    const mode = file.prepare('pragma journal_mode = wal').get()?.['journal_mode'];
    if (mode !== 'wal') throw new Error(`its file system allows no write-ahead log (journal mode "${String(mode)}")`);
    // A migration that copied tables leaves a log as large as they are; it is cut again when it starts anew.
    file.exec(
      'pragma synchronous = full; pragma fullfsync = on; pragma checkpoint_fullfsync = on; pragma foreign_keys = on; pragma cache_size = -32768; pragma journal_size_limit = 67108864',
    );
    checkQuickly(file, path);
    const writer = new SqliteConnection(file);
    await migrate({
      engine: 'sqlite',
      begin: 'begin immediate',
      query: async (sql) => writer.query<Record<string, unknown>>(sql, []).rows,
      exec: async (sql) => writer.exec(sql),
    });
    checkSchema(file, path);
    // Pages kept for rolling a savepoint back are of no use after a crash: in memory, not in a temporary file for each ask.
    file.exec('pragma temp_store = memory');
    // From here on a held lock is waited for by the shared flush, which does not block the event loop.
    file.exec('pragma busy_timeout = 0');
    return [writer, new SqliteConnection(new DatabaseSync(path, { readOnly: true, timeout: LOCK_WAIT_MS }))];
  } catch (error) {
    if (file?.isOpen) file.close();
    if (error instanceof AppError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    if (isDamage(error)) throw damaged(reason, path, error);
    const detail = `The database ${path} cannot be opened: ${reason}. Check DATA_DIR and its permissions.`;
    throw new AppError(500, 'database.unusable', detail, { cause: error });
  }
}
