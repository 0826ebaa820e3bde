import type { Statement } from '../steps.ts';
import { isUnavailable } from './errors.ts';
import type { CheckedPool } from './pool.ts';

const MOST_AT_ONCE = 64;

type Read = {
  statements: readonly Statement[];
  resolve(rows: unknown[][]): void;
  reject(error: unknown): void;
};

/**
 * Reads of one moment, and those that wait for a connection, share a round trip. Each sees what was committed before it
 * was asked for; one that fails fails alone.
 */
export function sharedReads(pool: CheckedPool) {
  const waiting: Read[] = [];

  async function readRows(take: () => readonly Statement[]): Promise<unknown[][]> {
    const client = await pool.connect();
    try {
      return await client.batch(take());
    } finally {
      client.release();
    }
  }

  function take(): Read[] {
    const reads = waiting.splice(0, MOST_AT_ONCE);
    if (waiting.length > 0) setImmediate(() => void send());
    return reads;
  }

  async function send(): Promise<void> {
    let reads: Read[] | undefined;
    try {
      const rows = await readRows(() => (reads = take()).flatMap(({ statements }) => statements));
      for (const { statements, resolve } of reads ?? []) resolve(rows.splice(0, statements.length));
    } catch (error) {
      reads ??= take();
      const alone = reads.length > 1 && !isUnavailable(error);
      for (const { statements, resolve, reject } of reads)
        if (alone) readRows(() => statements).then(resolve, reject);
        else reject(error);
    }
  }

  return (statements: readonly Statement[]): Promise<unknown[][]> =>
    new Promise((resolve, reject) => {
      // Every readable socket is served before the check phase: only there are the reads of this moment all here.
      if (waiting.push({ statements, resolve, reject }) === 1) setImmediate(() => void send());
    });
}
