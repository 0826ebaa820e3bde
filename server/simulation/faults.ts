import { AppError } from '#shared/problem.ts';
import type { Database } from '../platform/database.ts';
import type { Signals } from '../platform/nodes/signals.ts';
import type { Chance } from './chance.ts';

/** So often of a hundred, or so many milliseconds: what every time that is promised is checked under, and without limits. */
const KINDS = {
  /** Hints to pages that are lost, and that come twice. */
  lost: [3, 100],
  twice: [5, 60],
  /** The longest way of a message. */
  wayMs: [300, 20_000],
  /** The shares of a step. */
  leaves: [10, 30],
  clockSteps: [4, 20],
  standstills: [3, 20],
  standsMs: [6_000, 60_000],
  crashes: [3, 20],
  /** By how much each node's clock may differ from that of the database. */
  skewMs: [500, 1_900],
  /** Signals between nodes that are lost. */
  deaf: [0, 100],
  /** Transactions that the database refuses, and that it commits without saying so. */
  refused: [0, 40],
  unsure: [0, 40],
} as const;
const LEAST = { wayMs: 20, standsMs: 500 };

export type Faults = ReturnType<typeof drawFaults>;

/** Each seed draws its own mix: half of the kinds, each with its own rate. In half of the seeds no rate has a limit. */
export function drawFaults(chance: Chance) {
  const isUnlimited = chance.percent(50);
  const rates = Object.fromEntries(
    Object.entries(KINDS).map(([kind, [usual, most]]) => [
      kind,
      Math.max(chance.percent(50) ? chance.between(0, isUnlimited ? most : usual) : 0, LEAST[kind as 'wayMs'] ?? 0),
    ]),
  ) as Record<keyof typeof KINDS, number>;
  return {
    ...rates,
    /** No promise of how soon something is done is made then; all others are. */
    isUnlimited,
    /** From here on nothing fails. */
    heal(): void {
      for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[])
        if (kind !== 'skewMs') this[kind] = LEAST[kind as 'wayMs'] ?? 0;
    },
  };
}

/** A database that refuses what is begun, or commits it and does not say so, as when a connection breaks. */
export function failingNow(database: Database, faults: Faults, chance: Chance, now: () => number): Database {
  const away = () => new AppError(503, 'database.unavailable', 'The database cannot be reached.');
  const breaking = async <T>(what: string, commit: () => Promise<T>): Promise<T> => {
    if (chance.fixed(0, 99, `refused ${what} ${now()}`) < faults.refused) throw away();
    const unsure = chance.fixed(0, 99, `unsure ${what} ${now()}`) < faults.unsure;
    const result = await commit();
    if (unsure) throw away();
    return result;
  };
  return {
    ...database,
    transaction: (work) => breaking('transaction', () => database.transaction(work)),
    steps: (work) => breaking('steps', () => database.steps(work)),
  };
}

/** Signals as a node hears them while some are lost. */
export function losingSignals(signals: Signals, faults: Faults, chance: Chance, now: () => number): Signals {
  const isLost = (id: string) => chance.fixed(0, 99, `signal ${id.length} ${now()}`) < faults.deaf;
  return { ...signals, publish: (id) => (isLost(id) ? undefined : signals.publish(id)) };
}
