import type { Log } from './log.ts';

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
