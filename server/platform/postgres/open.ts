import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import type { BaseLogger } from 'pino';
import { AppError } from '#shared/problem.ts';
import { limited } from '../failing.ts';
import type { Schema } from '../schema.ts';
import { type RowsOf, statement, type Statement, type Steps } from '../steps.ts';
import { measuredClock } from './clock.ts';
import { isBlocked, isConflict, isIdledOut, isUnavailable } from './errors.ts';
import { CheckedPool } from './pool.ts';
import { prepareServer } from './prepare.ts';
import { sharedReads } from './reads.ts';
import { CONNECT_MS, Servers } from './servers.ts';

const TRIES = 8;

/** `working`: the work has its connection and its commit was not sent. */
type Session = { working: boolean };

/** `connections` of this node: reads and `/readyz` have their own, which no lock can fill. */
export type PostgresOptions = { url: string; connections?: number | undefined; log?: BaseLogger | undefined };

const GIVE_UP_MS = 15_000;
const TOO_BUSY = 'Too many changes met at the same place; send it again in a moment.';

/** Opens the pools on a Postgres that keeps what it acknowledged, migrated and with its clock measured. */
export async function openPostgres({ url, connections = 16, log }: PostgresOptions) {
  const servers = new Servers(url);
  const mayLose = await prepareServer(url, servers);
  if (mayLose) log?.warn(mayLose);
  const reading = Math.floor((connections - 1) / 3);
  const writing = connections - 1 - reading;
  const writers = new CheckedPool(servers, log, { max: writing });
  const readers = new CheckedPool(servers, log, { max: reading });
  const rows = sharedReads(readers);
  const pinger = new CheckedPool(servers, undefined, { max: 1, waitMs: CONNECT_MS });
  const end = async () => void (await Promise.all([writers, readers, pinger].map((pool) => pool.end())));
  const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: writers }) });
  // So many of the writers try again what waited for a row that somebody keeps locked.
  const contended = limited(Math.ceil(writing / 4));
  const clock = await measuredClock(readers, log).catch(async (error: unknown) => {
    await end();
    throw error;
  });

  async function tried<T>(once: (session: Session) => Promise<T>): Promise<T> {
    const giveUpAt = performance.now() + GIVE_UP_MS;
    let blocked = false;
    for (let tries = 1; ; tries += 1) {
      const session = { working: false };
      try {
        return await (blocked ? contended(() => once(session)) : once(session));
      } catch (error) {
        blocked = isBlocked(error);
        // Before the commit was sent, a lost session has changed nothing: this node was frozen, or Postgres restarted.
        const interrupted = tries === 1 && ((session.working && isUnavailable(error)) || isIdledOut(error));
        if (!blocked && !interrupted && !isConflict(error)) throw error;
        if (blocked ? performance.now() > giveUpAt : tries === TRIES)
          throw new AppError(503, 'database.busy', TOO_BUSY, { cause: error });
        await pause(Math.random() * 5 * 2 ** Math.min(tries, TRIES));
      }
    }
  }

  return {
    engine: 'postgres' as const,
    clock,
    clockDiffers: clock.differs,
    read: new Kysely<Schema>({ dialect: new PostgresDialect({ pool: readers }) }),
    transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>): Promise<T> =>
      tried((session) =>
        kysely
          .transaction()
          .setIsolationLevel('read committed')
          .execute(async (trx) => {
            session.working = true;
            const result = await work(trx);
            session.working = false;
            return result;
          }),
      ),
    steps: <T>(work: () => Steps<T>): Promise<T> => tried((session) => runSteps({ writers, rows }, work, session)),
    rows: async <S extends readonly Statement[]>(...statements: S) => (await rows(statements)) as RowsOf<S>,
    async ping(): Promise<void> {
      await pinger.query('select 1');
    },
    async close(): Promise<void> {
      clock.stop();
      await end();
    },
  };
}

const begin = statement('begin isolation level read committed');
const commit = statement('commit');
const rollback = statement('rollback');

type Pools = { writers: CheckedPool; rows: ReturnType<typeof sharedReads> };

/**
 * Each step is one round trip, the first with the begin and the last with the commit; a single one needs neither. What
 * is read before the first write or lock is read outside, since each statement sees what was committed before itself.
 */
async function runSteps<T>({ writers, rows: read }: Pools, work: () => Steps<T>, session: Session): Promise<T> {
  const steps = work();
  let next = steps.next([]);
  while (!next.done && !next.value.statements.some(({ sql }) => sql.writes || sql.locks))
    next = steps.next(await read(next.value.statements));
  if (next.done) return next.value;
  const client = await writers.connect();
  session.working = true;
  let begun = false;
  const onCommit = () => void (session.working = false);
  try {
    while (!next.done) {
      const { statements, last } = next.value;
      const before = begun || last ? [] : [begin()];
      const after = begun && last ? [commit()] : [];
      begun ||= !last;
      const rows = await client.batch([...before, ...statements, ...after], last ? onCommit : undefined);
      begun &&= !last;
      next = steps.next(rows.slice(before.length));
    }
    if (begun) await client.batch([commit()], onCommit);
    begun = false;
    return next.value;
  } finally {
    if (begun) await client.batch([rollback()]).catch(() => {});
    client.release();
  }
}
