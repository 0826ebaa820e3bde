import { tmpdir } from 'node:os';
import type { Database } from '../../../server/platform/database.ts';
import { privatePostgres } from '../../../server/platform/testing/postgres.ts';
import { quantile } from '../machine.ts';
import { rowOf, type Row } from '../report.ts';
import { enrol, newKey, runHub } from '../target.ts';
import { arrive, measureCapacity, openLines, type Loaded, type Pair } from './arrivals.ts';

export const PAIRS = 40;
const WARM_MS = 6_000;
const CAPACITY_MS = 5_000;
/** At first a node takes what it cannot do for two seconds, and works it off. */
const SETTLED_MS = 8_000;

/** People with a device, and a source for each that may ask them. */
export async function makePairs(database: Database, count = PAIRS): Promise<{ pairs: Pair[] }> {
  const pairs: Pair[] = [];
  for (let at = 0; at < count; at++) {
    const { handle, tokens } = await enrol(database, `person${at}`, 1);
    pairs.push({ key: await newKey(database), handle, token: tokens[0]! });
  }
  return { pairs };
}

/** What becomes of asks at half, once and twice of what a node can do, arriving whatever became of those before. */
export async function* measureLoad(engines: Row['engine'][], quick: boolean): AsyncGenerator<Row[]> {
  for (const engine of engines) {
    const postgres = engine === 'postgres' ? await privatePostgres({}, tmpdir()) : undefined;
    const databaseUrl = (await postgres?.createDatabase())?.url;
    const hub = await runHub({ databaseUrl }, (database) => makePairs(database));
    try {
      yield await measureOne(hub, engine, quick ? 14 : 30);
    } finally {
      await hub.stop();
      await postgres?.stop();
    }
  }
}

async function measureOne(hub: Loaded, engine: Row['engine'], seconds: number): Promise<Row[]> {
  await measureCapacity(hub, WARM_MS);
  const row = (name: string, unit: string, value: number) => rowOf({ name, engine, unit }, { hub: [value] });
  const rows: Row[] = [];
  for (const factor of [0.5, 1, 2]) {
    // Anew, for a machine that does other things does not do the same each minute.
    const capacity = await measureCapacity(hub, CAPACITY_MS);
    rows.push(row('asked and answered, 64 askers', '/s', capacity));
    await openLines(hub);
    const all = await arrive(hub, capacity * factor, seconds);
    const odd = all.find(({ status, retryAfter }) => status !== 201 && !(status === 503 && retryAfter));
    if (odd) throw new Error(`an ask ended with ${JSON.stringify(odd)}`);
    const settled = all.filter(({ at }) => at > SETTLED_MS);
    const taken = settled.filter(({ status }) => status === 201);
    const refused = settled.filter(({ status }) => status === 503);
    const ms = (which: typeof all, share: number) => quantile(which.map(({ askMs }) => askMs), share); // prettier-ignore
    rows.push(
      row(`${factor}x: asks let in`, '/s', (taken.length * 1000) / (seconds * 1000 - SETTLED_MS)),
      row('… refused, of all', '%', (100 * refused.length) / settled.length),
      row('… p50 of those let in', 'ms', ms(taken, 0.5)),
      row('… p99 of those let in', 'ms', ms(taken, 0.99)),
      row('… p99 in the seconds before', 'ms', ms(all.filter(({ at, status }) => at <= SETTLED_MS && status === 201), 0.99)), // prettier-ignore
      row('… p99 of answers', 'ms', quantile(taken.map(({ answerMs }) => answerMs ?? 0), 0.99)), // prettier-ignore
      ...(refused.length > 0 ? [row('… p99 of a refusal', 'ms', ms(refused, 0.99))] : []),
    );
  }
  return rows;
}
