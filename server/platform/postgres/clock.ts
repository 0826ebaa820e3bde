import type { BaseLogger } from 'pino';
import type { Clock } from '../clock.ts';
import type { CheckedPool } from './pool.ts';

const EVERY_MS = 60_000;
const SAMPLES = 3;

type Server = Pick<CheckedPool, 'query' | 'onReturn'>;

/** The server's clock as the local one plus an offset, measured now, each minute and whenever the server comes back. */
export async function measuredClock(pool: Server, log?: BaseLogger): Promise<Clock & { stop(): void }> {
  let offset = await measure(pool);
  const again = () => {
    measure(pool).then(
      (measured) => (offset = measured),
      (error: unknown) => log?.debug({ err: error }, "the database's clock could not be read"),
    );
  };
  const timer = setInterval(again, EVERY_MS).unref();
  pool.onReturn(again);
  return { now: () => Math.round(Date.now() + offset), stop: () => clearInterval(timer) };
}

/** The quickest of a few round trips says most: the server's instant lies between its two ends. */
async function measure(pool: Server): Promise<number> {
  let best = { took: Infinity, offset: 0 };
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const before = Date.now();
    const startedAt = performance.now();
    const [row] = await pool.query<{ at: number }>('select extract(epoch from clock_timestamp()) * 1000 as at');
    const took = performance.now() - startedAt;
    if (row && took < best.took) best = { took, offset: row.at - (before + took / 2) };
  }
  return best.offset;
}
