import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';

/**
 * Joins calls of one moment: `work` runs once at a time on at most `most` keys and rests so long after it; those that come
 * meanwhile go into its next call. A lone call waits for nobody. `work` returns a value for each key, in their order.
 */
export function batched<Key, Value>(
  { most, restMs }: { most: number; restMs: number },
  work: (keys: Key[]) => Promise<readonly Value[]>,
): (key: Key) => Promise<Value> {
  const waiting: { key: Key; resolve: (value: Value) => void; reject: (error: unknown) => void }[] = [];
  let running = false;

  async function run(): Promise<void> {
    // So that those of the same turn of the event loop are of the first call already.
    await turn();
    while (waiting.length > 0) {
      const batch = waiting.splice(0, most);
      try {
        const values = await work(batch.map(({ key }) => key));
        batch.forEach(({ resolve }, at) => resolve(values[at]!));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      await pause(restMs, undefined, { ref: false });
    }
    running = false;
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (running) return;
      running = true;
      void run();
    });
}
