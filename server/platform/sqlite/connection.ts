import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { AppError } from '#shared/problem.ts';
import type { Sql, Statement } from '../steps.ts';

const STATEMENTS_KEPT = 500;

type Prepared = { statement: StatementSync; names: string[] };

/** One `node:sqlite` connection for Kysely, with its prepared statements kept. Every call is synchronous underneath. */
export class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, Prepared>();
  readonly #ofSteps = new Map<Sql, Prepared>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Whether SQLite itself holds a transaction open; it drops one by itself after some errors. */
  get isTransaction(): boolean {
    return this.#database.isOpen && this.#database.isTransaction;
  }

  /** Runs one statement that has no rows, or several. */
  exec(sql: string): void {
    this.#assertOpen();
    if (sql.includes(';')) this.#database.exec(sql);
    else this.#prepare(sql).statement.run();
  }

  query<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> {
    this.#assertOpen();
    const { statement, names } = this.#prepare(sql);
    const values = parameters as SQLInputValue[];
    if (names.length === 0) return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
    return { rows: read({ statement, names }, values) as R[] };
  }

  /** The rows of a statement of a step. */
  rows({ sql, values }: Statement): unknown[] {
    if (sql.locks) return [];
    let prepared = this.#ofSteps.get(sql);
    if (!prepared) {
      this.#assertOpen();
      this.#ofSteps.set(sql, (prepared = this.#prepare(sql.text)));
    }
    return read(prepared, values);
  }

  async executeQuery<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
    return this.query<R>(compiled.sql, compiled.parameters);
  }

  // oxlint-disable-next-line require-yield
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('rows cannot be streamed; read a page at a time');
  }

  close(): void {
    this.#prepared.clear();
    this.#ofSteps.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    const prepared = { statement, names: statement.columns().map(({ name }) => name) };
    statement.setReturnArrays(true);
    if (this.#prepared.size >= STATEMENTS_KEPT) {
      const [oldest] = this.#prepared.keys();
      this.#prepared.delete(oldest ?? sql);
    }
    this.#prepared.set(sql, prepared);
    return prepared;
  }

  #assertOpen(): void {
    if (!this.#database.isOpen)
      throw new AppError(503, 'database.unavailable', 'The database is closed because the hub is stopping.');
  }
}

// Half of the time that node:sqlite takes for objects, whose rows have no prototype besides.
function read({ statement, names }: Prepared, values: readonly SQLInputValue[]): object[] {
  const rows = statement.all(...values) as unknown as unknown[][];
  return rows.map((row) => {
    const named: Record<string, unknown> = {};
    for (let at = 0; at < names.length; at++) named[names[at]!] = row[at];
    return named;
  });
}

/** Whether another connection holds the lock (SQLITE_BUSY or SQLITE_LOCKED, in any of their extended forms). */
export function isBusy(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  return code === 5 || code === 6;
}
