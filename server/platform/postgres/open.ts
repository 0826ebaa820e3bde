import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import type { BaseLogger } from 'pino';
import { AppError } from '#shared/problem.ts';
import type { Schema } from '../schema.ts';
import { measuredClock } from './clock.ts';
import { CheckedPool } from './pool.ts';
import { prepareServer } from './prepare.ts';
import { isStale } from './statements.ts';

const TRIES = 8;

export type PostgresOptions = { url: string; log?: BaseLogger | undefined };

/** Opens a pool on a Postgres that keeps what it acknowledged, migrated and with its clock measured. */
export async function openPostgres({ url, log }: PostgresOptions) {
  await prepareServer(url);
  const pool = new CheckedPool(url, log);
  const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  const clock = await measuredClock(pool, log).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });

  return {
    engine: 'postgres' as const,
    clock,
    clockDiffers: clock.differs,
    read: kysely,
    async transaction<T>(work: (trx: Transaction<Schema>) => Promise<T>): Promise<T> {
      for (let tries = 1; ; tries += 1) {
        try {
          return await kysely.transaction().setIsolationLevel('read committed').execute(work);
        } catch (error) {
          if (!isConflict(error)) throw error;
          if (tries === TRIES) throw tooBusy(error);
          await pause(Math.random() * 5 * 2 ** tries);
        }
      }
    },
    async ping(): Promise<void> {
      await pool.query('select 1');
    },
    async close(): Promise<void> {
      clock.stop();
      await pool.end();
    },
  };
}

/** A serialization failure, a deadlock or a stale plan: nothing was changed and the same work may succeed at once. */
function isConflict(error: unknown): boolean {
  if (isStale(error)) return true;
  return error instanceof Error && 'code' in error && (error.code === '40001' || error.code === '40P01');
}

function tooBusy(cause: unknown): AppError {
  const refusal = new AppError(
    503,
    'database.busy',
    'Too many changes met at the same place; send it again in a moment.',
  );
  refusal.cause = cause;
  return refusal;
}
