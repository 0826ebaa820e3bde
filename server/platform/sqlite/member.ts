import { AbortedTransactionError, type CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely';
import { AppError } from '#shared/problem.ts';
import type { SqliteConnection } from './connection.ts';

/**
 * The connection as one logical transaction sees it: it ends with its transaction, and a failed statement
 * dooms it even when the error is caught, as on Postgres.
 */
export class MemberConnection implements DatabaseConnection {
  /** Rejects when the time is up; never resolves. */
  readonly overdue: Promise<never>;
  readonly #connection: SqliteConnection;
  readonly #limitMs: number;
  readonly #startedAt = performance.now();
  readonly #usedBefore = usedMs();
  readonly #timer: NodeJS.Timeout;
  #failed: { cause: unknown } | undefined;
  #over: AppError | undefined;
  #ended = false;

  constructor(connection: SqliteConnection, limitMs: number) {
    this.#connection = connection;
    this.#limitMs = limitMs;
    const { promise, reject } = Promise.withResolvers<never>();
    this.overdue = promise;
    this.overdue.catch(() => {});
    this.#timer = setTimeout(() => reject(this.#expire()), limitMs);
  }

  async executeQuery<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
    // The timer cannot fire while one member's statements keep the event loop, so each statement looks itself.
    if (!this.#over && this.#tookTooLong()) this.#expire();
    if (this.#over) throw this.#over;
    if (this.#ended) {
      throw new AppError(500, 'database.transaction_over', 'A statement was sent after its transaction had ended.');
    }
    // Outside the outer transaction a statement would commit itself, alone and at once.
    if (!this.#connection.isTransaction) this.#failed ??= { cause: new Error('SQLite has ended the transaction') };
    if (this.#failed) throw new AbortedTransactionError(this.#failed);
    try {
      return this.#connection.query<R>(compiled.sql, compiled.parameters);
    } catch (error) {
      this.#failed = { cause: error };
      throw error;
    }
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    return this.#connection.streamQuery<R>();
  }

  /** Ends the member; throws if it must not be committed although its work returned. */
  end(): void {
    clearTimeout(this.#timer);
    this.#ended = true;
    if (this.#over) throw this.#over;
    if (this.#failed) throw new AbortedTransactionError(this.#failed);
  }

  /** By the thread's own time: a process that stood still, or a busy machine, rolls nothing back. */
  #tookTooLong(): boolean {
    const isLate = performance.now() - this.#startedAt > this.#limitMs;
    return isLate && usedMs() - this.#usedBefore > this.#limitMs;
  }

  #expire(): AppError {
    this.#over = new AppError(503, 'database.too_slow', 'The hub could not store this in time; send it again.');
    return this.#over;
  }
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
