import { setImmediate as nextCheck } from 'node:timers/promises';

const EVERY_MS = 50;
/** A tick that comes so much too late says that the process stood still: busy, stopped or starved. */
const LATE_MS = 100;
/** A socket that was just accepted is read a turn later; under load some socket always waits. */
const MOST_TURNS = 64;

/** Notices when the event loop stood still. Node runs timers before it reads sockets: a late tick comes before what waited. */
export function watchLoop() {
  let tickedAt = performance.now();
  let stoodSince: number | undefined;
  const isLate = (now: number) => now - tickedAt > EVERY_MS + LATE_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    if (isLate(now)) {
      stoodSince ??= tickedAt;
      void caughtUp().then(() => (stoodSince = undefined));
    }
    tickedAt = now;
  }, EVERY_MS).unref();
  return {
    /**
     * Since when (by `performance.now()`) what is read from a socket at this moment may have lain there: now, or after a
     * standstill when the process last looked before it.
     */
    lookedAt(): number {
      const now = performance.now();
      return stoodSince ?? (isLate(now) ? tickedAt : now);
    },
    caughtUp,
    stop: () => clearInterval(timer),
  };
}
export type LoopWatch = ReturnType<typeof watchLoop>;

/** Resolves when the sockets were read for at least one full turn of the event loop and nothing waits in them. */
async function caughtUp(): Promise<void> {
  let seen = eventsThatWaited();
  for (let turn = 1; turn <= MOST_TURNS; turn++) {
    await nextCheck();
    const now = eventsThatWaited();
    // Asked while sockets are read, the first check comes before the next reading.
    if (turn > 1 && now === seen) return;
    seen = now;
  }
}

function eventsThatWaited(): number {
  return performance.nodeTiming.uvMetricsInfo.eventsWaiting;
}
