import { DatabaseError } from 'pg';

const KEPT = 200;
const LONGEST = 2_000;

/**
 * The names under which every connection keeps a statement parsed and planned. Lists of any length make ever new
 * statements, so only the first 200 that are not long get one: what the hub does all the time is among them.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  #given = 0;

  of(sql: string, parameters: readonly unknown[]): string | undefined {
    const known = this.#names.get(sql);
    if (known !== undefined) return known;
    if (parameters.length === 0 || sql.length > LONGEST || this.#names.size === KEPT) return undefined;
    const name = `s${++this.#given}`;
    this.#names.set(sql, name);
    return name;
  }

  /** Gives other names from now on, so that every connection plans every statement anew. */
  renew(): void {
    this.#names.clear();
  }
}

/** Whether a statement was not run because a newer node has added a column to its table since it was planned. */
export function isStale(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery';
}
