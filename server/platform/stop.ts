import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from './log.ts';

/** Parts that stop at the same time, and for how many ms the next stage waits for them. */
export type Stage = [withinMs: number, parts: Record<string, () => Promise<unknown>>];

/** Stops stage after stage. A part that fails or takes too long is logged and holds up nothing that is stopped after it. */
export async function stopInTurn(stages: Stage[], log: Log): Promise<void> {
  for (const [withinMs, parts] of stages) {
    await Promise.all(Object.entries(parts).map(([part, stop]) => stopOne(part, stop, withinMs, log)));
  }
}

async function stopOne(part: string, stop: () => Promise<unknown>, withinMs: number, log: Log): Promise<void> {
  const stopped = new AbortController();
  const late = pause(withinMs, undefined, { signal: stopped.signal }).then(
    () => log.warn({ part, withinMs }, 'this part did not stop in its time'),
    () => {},
  );
  const stopping = (async () => stop())().catch((error: unknown) =>
    log.warn({ err: error, part }, 'this part failed to stop'),
  );
  await Promise.race([stopping, late]);
  stopped.abort();
}
