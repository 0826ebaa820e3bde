import { setImmediate as nextCheck, setTimeout as pause } from 'node:timers/promises';
import { AbortedTransactionError, type CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely';
import type { BaseLogger } from 'pino';
import { AppError } from '#shared/problem.ts';
import { type SqliteConnection, isBusy } from './connection.ts';

export const FLUSH_LIMITS = { memberMs: 1_000, batchMembers: 64, batchMs: 5, busyMs: 5_000 };
export type FlushLimits = typeof FLUSH_LIMITS;

type Waiting = { run(): Promise<Done>; fail(error: unknown): void };
/** A member whose savepoint is released or rolled back; `settle` tells its caller, once the flush is through. */
type Done = { settle(): void; fail(error: unknown): void };

/**
 * Runs logical transactions one after the other as savepoints of one outer transaction, so that those of one
 * moment share one flush to disk. No result and no error is seen by a caller before the outer COMMIT returned;
 * if that fails every member fails.
 */
export class SharedFlush {
  readonly #connection: SqliteConnection;
  readonly #limits: FlushLimits;
  readonly #log: BaseLogger | undefined;
  readonly #waiting: Waiting[] = [];
  #working: Promise<void> | undefined;
  #closed = false;

  constructor(connection: SqliteConnection, limits: FlushLimits, log?: BaseLogger) {
    this.#connection = connection;
    this.#limits = limits;
    this.#log = log;
  }

  run<T>(work: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#closed)
        return reject(new AppError(503, 'database.unavailable', 'The hub is stopping; send it again in a moment.'));
      this.#waiting.push({ run: () => this.#runMember(work, resolve, reject), fail: reject });
      this.#working ??= this.#drain();
    });
  }

  /** Refuses new transactions and resolves when the last accepted one is settled. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#working;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (!(await this.#begin())) continue;
      const batch: Done[] = [];
      this.#finish(batch, await this.#fill(batch));
      // Lets the answers of this batch leave, and new questions in, before the next one.
      if (this.#waiting.length > 0) await nextCheck();
    }
    this.#working = undefined;
  }

  /** Opens the outer transaction; another process may be writing, which is waited for without blocking this one. */
  async #begin(): Promise<boolean> {
    const giveUpAt = performance.now() + this.#limits.busyMs;
    for (;;) {
      try {
        if (this.#connection.isTransaction) this.#connection.exec('rollback');
        this.#connection.exec('begin immediate');
        return true;
      } catch (error) {
        if (isBusy(error) && performance.now() < giveUpAt) {
          await pause(5 + Math.random() * 20);
          continue;
        }
        const refusal = refusalOf(error);
        for (const member of this.#waiting.splice(0)) member.fail(refusal);
        return false;
      }
    }
  }

  /** Runs members until the batch is due; returns what broke the outer transaction, if anything did. */
  async #fill(batch: Done[]): Promise<Error | undefined> {
    const startedAt = performance.now();
    for (;;) {
      const next = this.#waiting.shift();
      if (next) {
        batch.push(await next.run());
        if (!this.#connection.isTransaction) return new Error('SQLite ended the transaction by itself');
      } else {
        // Every readable socket is served, microtasks included, before the check phase: only there is the
        // queue known to hold nothing more of this moment.
        await nextCheck();
        if (this.#waiting.length === 0) return undefined;
      }
      if (batch.length >= this.#limits.batchMembers || performance.now() - startedAt >= this.#limits.batchMs)
        return undefined;
    }
  }

  async #runMember<T>(
    work: (connection: DatabaseConnection) => Promise<T>,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
  ): Promise<Done> {
    const member = new MemberConnection(this.#connection, this.#limits.memberMs);
    try {
      this.#connection.exec('savepoint member');
      const value = await Promise.race([work(member), member.overdue]);
      member.end();
      this.#connection.exec('release member');
      return { settle: () => resolve(value), fail: reject };
    } catch (error) {
      this.#undo(member);
      if (error instanceof AppError && error.code === 'database.too_slow') {
        this.#log?.error({ limitMs: this.#limits.memberMs }, 'a transaction took too long and was rolled back');
      }
      return { settle: () => reject(error), fail: reject };
    }
  }

  #undo(member: MemberConnection): void {
    try {
      member.end();
    } catch {
      // It is being rolled back for a reason that is already known.
    }
    if (!this.#connection.isTransaction) return;
    try {
      this.#connection.exec('rollback to member; release member');
    } catch {
      // Without its savepoint nothing tells this member's writes from the others': drop them all.
      this.#rollback();
    }
  }

  #finish(batch: Done[], broken: Error | undefined): void {
    let fault: unknown = broken;
    if (!broken) {
      try {
        this.#connection.exec('commit');
      } catch (error) {
        fault = error;
      }
    }
    if (fault === undefined) {
      for (const member of batch) member.settle();
      return;
    }
    this.#rollback();
    this.#log?.error({ err: fault, members: batch.length }, 'a batch of transactions could not be committed');
    const refusal = refusalOf(fault);
    for (const member of batch) member.fail(refusal);
  }

  #rollback(): void {
    try {
      if (this.#connection.isTransaction) this.#connection.exec('rollback');
    } catch (error) {
      // The next BEGIN tries again and runs nothing until it succeeds.
      this.#log?.error({ err: error }, 'a broken transaction could not be rolled back yet');
    }
  }
}

/**
 * The connection as one logical transaction sees it: it ends with its transaction, and a failed statement
 * dooms it even when the error is caught, as on Postgres.
 */
class MemberConnection implements DatabaseConnection {
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

function refusalOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const [code, detail] = isBusy(error)
    ? ['database.busy', 'Another process keeps the database locked; send it again in a moment.']
    : ['database.unavailable', 'The database could not store this, nothing was changed; send it again.'];
  return new AppError(503, code, detail, { cause: error });
}
