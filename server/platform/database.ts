import type { Kysely, Transaction as KyselyTransaction } from 'kysely';
import { AppError } from '#shared/problem.ts';
import type { Clock } from './clock.ts';
import type { Schema } from './schema.ts';
import type { RowsOf, Statement, Steps } from './steps.ts';
export type Transaction = KyselyTransaction<Schema>;

export type Database = {
  engine: 'sqlite' | 'postgres';
  /** The database's clock: what counts where an answer races a deadline. */
  clock: Clock;
  /**
   * Where the clock is this machine's: looks whether it was stepped, and then moves what is open by as much, in one
   * transaction. Returns the people whose version that raised.
   */
  followClock?(): Promise<{ personId: string; version: number }[]>;
  /** Whether this machine's clock is more than 2 s away from the database server's. It decides nothing. */
  clockDiffers?(): boolean;
  /** Plain reads; sees committed data only. */
  read: Kysely<Schema>;
  /**
   * All of `work` or nothing, durable when it resolves. `work` awaits nothing but its own statements and may run
   * again after a conflict; a failed statement dooms it even when caught, so expect conflicts with `on conflict`.
   */
  transaction<T>(work: (trx: Transaction) => Promise<T>): Promise<T>;
  /** The same in written-out steps, for what every call does; `work` may run again whatever happens. */
  steps<T>(work: () => Steps<T>): Promise<T>;
  /** Plain reads that need nothing of each other, in one round trip. */
  rows<S extends readonly Statement[]>(...statements: S): Promise<RowsOf<S>>;
  ping(): Promise<void>;
  close(): Promise<void>;
};

/** Whether a statement failed because a row with the same key stands already, on either engine. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('errcode' in error) return error.errcode === 2067 || error.errcode === 1555;
  return 'code' in error && error.code === '23505';
}

/** Whether the database can be reached, or do this in time, only later; the same call may succeed then. */
export function isAway(error: unknown): boolean {
  return error instanceof AppError && error.status === 503 && error.code.startsWith('database.');
}
