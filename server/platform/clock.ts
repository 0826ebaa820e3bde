import { sql, type RawBuilder } from 'kysely';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Milliseconds since 1970, as the database sees them. */
export type Clock = {
  now(): number;
  /** The same instant, read by the database server in the statement that holds it. */
  inStatement?: RawBuilder<number> | undefined;
};

/**
 * Now plus `ms`, for a condition that decides who wins or what is over: the database server's own clock where there is
 * one, so that a wrong clock of this machine decides nothing.
 */
export function instant({ now, inStatement }: Clock, ms = 0): RawBuilder<number> {
  return inStatement ? sql`${inStatement} + cast(${ms} as bigint)` : sql`cast(${now() + ms} as bigint)`;
}

/** The instant as it stands on the wire: ISO 8601, UTC. */
export function iso(at: number): string {
  return new Date(at).toISOString();
}

/** Monotonic time, and what is done later in it; the simulation's passes in steps. */
export type Timers = {
  now(): number;
  /** Runs it once after so many milliseconds, and keeps no process alive for it; the result takes it back. */
  after(ms: number, run: () => void): () => void;
};

export const TIMERS: Timers = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};
