import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import type { BaseLogger } from 'pino';
import { AppError } from '#shared/problem.ts';
import { limited } from '../failing.ts';
import type { Schema } from '../schema.ts';
import { measuredClock } from './clock.ts';
import { isBlocked, isConflict, isUnavailable } from './errors.ts';
import { CheckedPool, CONNECT_MS } from './pool.ts';
import { prepareServer } from './prepare.ts';

const TRIES = 8;

export type PostgresOptions = { url: string; log?: BaseLogger | undefined };

/** Connections of one node: reads and `/readyz` have their own, which no lock can fill. */
const WRITERS = 10;
const READERS = 5;
/** So many of the writers try again what waited for a row that somebody keeps locked. */
const CONTENDED = 3;
const GIVE_UP_MS = 15_000;
const TOO_BUSY = 'Too many changes met at the same place; send it again in a moment.';

/** Opens the pools on a Postgres that keeps what it acknowledged, migrated and with its clock measured. */
export async function openPostgres({ url, log }: PostgresOptions) {
  await prepareServer(url);
  const writers = new CheckedPool(url, log, { max: WRITERS });
  const readers = new CheckedPool(url, log, { max: READERS });
  const pinger = new CheckedPool(url, undefined, { max: 1, waitMs: CONNECT_MS });
  const end = async () => void (await Promise.all([writers, readers, pinger].map((pool) => pool.end())));
  const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: writers }) });
  const contended = limited(CONTENDED);
  const clock = await measuredClock(readers, log).catch(async (error: unknown) => {
    await end();
    throw error;
  });

  return {
    engine: 'postgres' as const,
    clock,
    clockDiffers: clock.differs,
    read: new Kysely<Schema>({ dialect: new PostgresDialect({ pool: readers }) }),
    async transaction<T>(work: (trx: Transaction<Schema>) => Promise<T>): Promise<T> {
      const giveUpAt = performance.now() + GIVE_UP_MS;
      let blocked = false;
      for (let tries = 1; ; tries += 1) {
        const session = { working: false };
        const once = () =>
          kysely
            .transaction()
            .setIsolationLevel('read committed')
            .execute(async (trx) => {
              session.working = true;
              const result = await work(trx);
              session.working = false;
              return result;
            });
        try {
          return await (blocked ? contended(once) : once());
        } catch (error) {
          blocked = isBlocked(error);
          // Before the commit was sent, a lost session has changed nothing: this node was frozen, or Postgres restarted.
          const interrupted = session.working && tries === 1 && isUnavailable(error);
          if (!blocked && !interrupted && !isConflict(error)) throw error;
          if (blocked ? performance.now() > giveUpAt : tries === TRIES)
            throw new AppError(503, 'database.busy', TOO_BUSY, { cause: error });
          await pause(Math.random() * 5 * 2 ** Math.min(tries, TRIES));
        }
      }
    },
    async ping(): Promise<void> {
      await pinger.query('select 1');
    },
    async close(): Promise<void> {
      clock.stop();
      await end();
    },
  };
}
