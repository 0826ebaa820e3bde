import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from './database.ts';
import type { Log } from './log.ts';
import type { Schema } from './schema.ts';

const PART = 500;

/** Background jobs by name; one that returns true has more to do at once. */
export type Jobs = Record<string, () => Promise<unknown>>;

/**
 * Runs the jobs one after the other, now and then every `ms`; at once again while one returns true. A job that fails
 * is logged and tried at its next turn, and the others run.
 */
export function repeat(ms: () => number, jobs: Jobs, log: Log): { stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const turn = async (): Promise<void> => {
    let again = false;
    for (const [job, work] of Object.entries(jobs)) {
      if (stopped) return;
      try {
        again = (await work()) === true || again;
      } catch (error) {
        log.warn({ err: error, job }, 'background job failed; trying again at its next turn');
      }
    }
    if (stopped) return;
    timer = setTimeout(
      () => {
        running = turn();
      },
      again ? 0 : ms(),
    );
  };
  let running = turn();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Repeats a change of at most `most` rows, each in its own transaction, until one finds fewer; returns how many in all. */
export async function inParts(most: number, change: () => Promise<number>): Promise<number> {
  let all = 0;
  for (;;) {
    const changed = await change();
    all += changed;
    if (changed < most) return all;
    // A part that only reads waits for nothing by itself.
    await nextTurn();
  }
}

/** Deletes rows in parts, so that nobody waits for all of them; `key` is what the table is found by. Returns how many. */
export function deleteInParts(
  database: Database,
  table: keyof Schema,
  key: string[],
  where: RawBuilder<unknown>,
): Promise<number> {
  const found = sql.join(key.map((column) => sql.ref(column)));
  const statement = sql`delete from ${sql.table(table)}
    where (${found}) in (select ${found} from ${sql.table(table)} where ${where} limit ${PART})`;
  return inParts(PART, async () => {
    const { numAffectedRows } = await database.transaction((trx) => statement.execute(trx));
    return Number(numAffectedRows);
  });
}
