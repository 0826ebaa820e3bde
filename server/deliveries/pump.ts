import type { Log } from '../platform/log.ts';

const LONGEST_SLEEP_MS = 15_000;
const SHORTEST_SLEEP_MS = 250;
const AFTER_FAILURE_MS = 1_000;

export type Pump = {
  /** Runs the work; what is asked for while it runs makes it run once more. Resolves when it has run. */
  now(): Promise<void>;
  /** Runs the work now and whenever it said, at the latest every 15 s. */
  keepGoing(): void;
  stop(): Promise<void>;
};

/** Runs `work` one at a time; it returns in how many milliseconds there is more to do. A failure is logged and tried again. */
export function createPump(work: () => Promise<number>, log: Log, what = 'owed webhooks'): Pump {
  let running: Promise<void> | undefined;
  let again = false;
  let going = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function run(): Promise<void> {
    clearTimeout(timer);
    let sleepMs = 0;
    while (again && !stopped) {
      again = false;
      sleepMs = await work().catch((error: unknown) => {
        log.error({ err: error }, `${what} could not be read; trying again`);
        return AFTER_FAILURE_MS;
      });
    }
    running = undefined;
    if (!going || stopped) return;
    timer = setTimeout(() => void now(), Math.min(Math.max(sleepMs, SHORTEST_SLEEP_MS), LONGEST_SLEEP_MS)).unref();
  }

  function now(): Promise<void> {
    again = true;
    running ??= run();
    return running;
  }

  return {
    now,
    keepGoing() {
      going = true;
      void now();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
