import { setImmediate as nextTurn } from 'node:timers/promises';

const QUIET_TURNS = 4;
/** More than any moment takes: something repeats itself without waiting. */
const MOST_TURNS = 20_000;

type Due = { at: number; order: number; run: () => void };

/**
 * Time that passes only from one thing due to the next. Each runs after all that the one before set off came to rest:
 * `settled` says that no statement is under way, `rested` sends what was held for that moment.
 */
export function createSchedule(start: number, { settled, rested }: { settled: () => boolean; rested: () => void }) {
  const due: Due[] = [];
  let order = 0;
  const schedule = {
    now: start,
    after(ms: number, run: () => void): void {
      const entry = { at: schedule.now + ms, order: order++, run };
      let place = due.length;
      while (place > 0 && due[place - 1]!.at > entry.at) place--;
      due.splice(place, 0, entry);
    },
    sleep: (ms: number) => new Promise<void>((wake) => schedule.after(ms, wake)),
    /** Runs everything due within `ms`, each only after all that the one before set off came to rest. */
    async pass(ms: number): Promise<void> {
      const end = schedule.now + ms;
      for (let next = due[0]; next && next.at <= end; next = due[0]) {
        due.shift();
        schedule.now = next.at;
        next.run();
        await rest();
      }
      schedule.now = end;
    },
  };
  async function rest(): Promise<void> {
    // A reply that is written takes a few turns of its own.
    for (let quiet = 0, turns = 0; quiet < QUIET_TURNS; turns++) {
      await nextTurn();
      quiet = settled() ? quiet + 1 : 0;
      if (turns > MOST_TURNS) throw new Error('DLV1: the hub never comes to rest');
    }
    rested();
  }
  return schedule;
}
export type Schedule = ReturnType<typeof createSchedule>;
