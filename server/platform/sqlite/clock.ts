import { uptime } from 'node:os';

/** What this machine says of time, in ms; each is read anew at every call. */
export type TimeSources = {
  wall(): number;
  /** Never stepped; stands still while the machine sleeps. */
  monotonic(): number;
  /** Never stepped; goes on while the machine sleeps. */
  uptime(): number;
};

export const MACHINE: TimeSources = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  uptime: () => uptime() * 1000,
};

const TOLERATED_MS = 2_000;
/** How much of the time that passed two clocks may disagree without one of them being stepped: what NTP corrects by. */
const DRIFT = 1 / 2_000;

/** The wall time of the start plus the monotonic time since; a step of the wall clock changes it by `move` alone. */
export function steadyClock({ wall, monotonic, uptime: awakeOrNot }: TimeSources = MACHINE) {
  let offset = wall() - monotonic();
  let asleep = awakeOrNot() - monotonic();
  let lookedAt = monotonic();
  return {
    now: () => Math.round(monotonic() + offset),
    /** By how much the wall clock was stepped, if by more than 2 s; follows the machine's sleep and slow drift. */
    stepped(): number {
      const at = monotonic();
      const difference = wall() - at - offset;
      const slept = awakeOrNot() - at - asleep;
      if (slept > TOLERATED_MS) {
        asleep += slept;
        offset += Math.abs(difference - slept) <= TOLERATED_MS ? difference : slept;
      } else if (Math.abs(difference) <= TOLERATED_MS) {
        const most = (at - lookedAt) * DRIFT;
        offset += Math.min(most, Math.max(-most, difference));
      }
      lookedAt = at;
      const left = Math.round(wall() - at - offset);
      return Math.abs(left) > TOLERATED_MS ? left : 0;
    },
    move(ms: number): void {
      offset += ms;
    },
  };
}
