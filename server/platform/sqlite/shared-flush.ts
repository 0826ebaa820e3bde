import { setImmediate as nextCheck, setTimeout as pause } from 'node:timers/promises';
import type { DatabaseConnection } from 'kysely';
import type { BaseLogger } from 'pino';
import { AppError } from '#shared/problem.ts';
import type { Steps } from '../steps.ts';
import { type SqliteConnection, isBusy } from './connection.ts';
import { damaged, isDamage } from './damage.ts';
import { MemberConnection } from './member.ts';

export const FLUSH_LIMITS = { memberMs: 1_000, batchMembers: 64, batchMs: 5, busyMs: 5_000 };
export type FlushLimits = typeof FLUSH_LIMITS;

/** `again`: it may run again, so that it needs no savepoint unless it runs `apart`; else it throws if it failed after its first write. */
type Waiting = { again: boolean; run(apart: boolean): Promise<Done> | Done; fail(error: unknown): void };
/** A member that is through; `settle` tells its caller, once the flush is. */
type Done = { settle(): void; fail(error: unknown): void };

/**
 * Runs logical transactions one after the other as savepoints of one outer transaction, so that those of one
 * moment share one flush to disk. Those in steps that begin it have no savepoint, which costs as much as two of their
 * statements; if one of them fails after its first write, they all run again in a new one, each with its own.
 * No result and no error is seen by a caller before the outer COMMIT returned; if that fails every member fails.
 * Not by a library: drivers of SQLite commit each transaction by itself.
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

  run<T>(work: (connection: DatabaseConnection) => Promise<T>, limitMs = this.#limits.memberMs): Promise<T> {
    const caller = Promise.withResolvers<T>();
    this.#add({ again: false, run: () => this.#runMember(work, limitMs, caller), fail: caller.reject });
    return caller.promise;
  }

  runSteps<T>(work: () => Steps<T>): Promise<T> {
    const caller = Promise.withResolvers<T>();
    this.#add({ again: true, run: (apart) => this.#runInSteps(work, apart, caller), fail: caller.reject });
    return caller.promise;
  }

  #add(member: Waiting): void {
    if (this.#closed)
      return member.fail(new AppError(503, 'database.unavailable', 'The hub is stopping; send it again in a moment.'));
    this.#waiting.push(member);
    this.#working ??= this.#drain();
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
        const refusal = toRefusal(error);
        for (const member of this.#waiting.splice(0)) member.fail(refusal);
        return false;
      }
    }
  }

  /** Runs members until the batch is due; returns what broke the outer transaction, if anything did. */
  async #fill(batch: Done[]): Promise<Error | undefined> {
    const startedAt = performance.now();
    let together: Waiting[] | undefined = [];
    for (;;) {
      const next = this.#waiting.shift();
      if (next) {
        if (!next.again) together = undefined;
        together?.push(next);
        try {
          const done = next.run(together === undefined);
          batch.push(done instanceof Promise ? await done : done);
        } catch {
          batch.length = 0;
          this.#waiting.unshift(...(together ?? []).map((one) => ({ ...one, again: false })));
          return undefined;
        }
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

  #runInSteps<T>(work: () => Steps<T>, apart: boolean, { resolve, reject }: PromiseWithResolvers<T>): Done {
    let wrote = false;
    try {
      if (apart) this.#connection.exec('savepoint member');
      const steps = work();
      let next = steps.next([]);
      while (!next.done) {
        const rows: unknown[][] = [];
        for (const statement of next.value.statements) {
          rows.push(this.#connection.rows(statement));
          wrote ||= statement.sql.writes;
        }
        next = steps.next(rows);
      }
      if (apart) this.#connection.exec('release member');
      const { value } = next;
      return { settle: () => resolve(value), fail: reject };
    } catch (error) {
      if (apart) this.#undo();
      else if (wrote) throw error;
      return { settle: () => reject(error), fail: reject };
    }
  }

  async #runMember<T>(
    work: (connection: DatabaseConnection) => Promise<T>,
    limitMs: number,
    { resolve, reject }: PromiseWithResolvers<T>,
  ): Promise<Done> {
    const member = new MemberConnection(this.#connection, limitMs);
    try {
      this.#connection.exec('savepoint member');
      const value = await Promise.race([work(member), member.overdue]);
      member.end();
      this.#connection.exec('release member');
      return { settle: () => resolve(value), fail: reject };
    } catch (error) {
      try {
        member.end();
      } catch {
        // It is being rolled back for a reason that is already known.
      }
      this.#undo();
      if (error instanceof AppError && error.code === 'database.too_slow') {
        this.#log?.error({ limitMs }, 'a transaction took too long and was rolled back');
      }
      return { settle: () => reject(error), fail: reject };
    }
  }

  #undo(): void {
    if (!this.#connection.isTransaction) return;
    try {
      this.#connection.exec('rollback to member; release member');
    } catch {
      // Without its savepoint nothing tells these writes from the others': drop them all.
      this.#rollback();
    }
  }

  #finish(batch: Done[], broken: Error | undefined): void {
    if (batch.length === 0) return;
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
    const refusal = toRefusal(fault);
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

function toRefusal(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDamage(error)) return damaged((error as Error).message, undefined, error);
  const [code, detail] = isBusy(error)
    ? (['database.busy', 'Another process keeps the database locked; send it again in a moment.'] as const)
    : (['database.unavailable', 'The database could not store this, nothing was changed; send it again.'] as const);
  return new AppError(503, code, detail, { cause: error });
}
