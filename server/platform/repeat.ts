import type { Log } from './log.ts';

/**
 * Runs `work` now and then every `ms`, one run at a time; at once again while it returns true. A run
 * that fails is logged and tried at its next turn.
 */
export function repeat(ms: number, work: () => Promise<boolean | void>, log: Log): { stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const turn = async (): Promise<void> => {
    let again: boolean | void = false;
    try {
      again = await work();
    } catch (error) {
      log.warn({ err: error }, 'a chore failed; trying again at its next turn');
    }
    if (stopped) return;
    timer = setTimeout(
      () => {
        running = turn();
      },
      again ? 0 : ms,
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
