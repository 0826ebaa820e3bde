import { sql } from 'kysely';
import type { BaseLogger } from 'pino';
import type { CheckedPool } from './pool.ts';

const EVERY_MS = 10_000;
const SAMPLES = 3;
const TOLERATED_MS = 2_000;
/** A round trip above this says too little about the server's instant to replace what is known. */
const LONGEST_MS = 1_000;

type Server = Pick<CheckedPool, 'query' | 'onReturn'>;

/**
 * The server's clock as an offset to the monotonic one, which no step of this machine's clock moves: measured now,
 * every 10 s because it stands still while the machine sleeps, and whenever the server comes back.
 */
export async function measuredClock(pool: Server, log?: BaseLogger) {
  let { offset } = await measure(pool);
  const now = () => Math.round(performance.now() + offset);
  const differs = () => Math.abs(Date.now() - now()) > TOLERATED_MS;
  let warned = false;
  const warn = () => {
    if (differs() && !warned) log?.warn({ byMs: Date.now() - now() }, "this machine's clock is not the database's");
    warned = differs();
  };
  warn();
  const again = () => {
    measure(pool).then(
      (measured) => {
        if (measured.took < LONGEST_MS) offset = measured.offset;
        warn();
      },
      (error: unknown) => log?.debug({ err: error }, "the database's clock could not be read"),
    );
  };
  const timer = setInterval(again, EVERY_MS).unref();
  pool.onReturn(again);
  return {
    now,
    /** Whether this machine's own clock is more than 2 s away from it. */
    differs,
    // As a subquery it is read once for each statement, so that an index can be used.
    inStatement: sql<number>`(select floor(extract(epoch from clock_timestamp()) * 1000)::bigint)`,
    stop: () => clearInterval(timer),
  };
}

/** The quickest of a few round trips says most: the server's instant lies between its two ends. */
async function measure(pool: Server) {
  let best = { took: Infinity, offset: 0 };
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const before = performance.now();
    const [row] = await pool.query<{ at: number }>('select extract(epoch from clock_timestamp()) * 1000 as at');
    const took = performance.now() - before;
    if (row && took < best.took) best = { took, offset: row.at - (before + took / 2) };
  }
  return best;
}
