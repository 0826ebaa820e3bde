/** Milliseconds since 1970, as the database sees them. */
export type Clock = { now(): number };

/** The instant as it stands on the wire: ISO 8601, UTC. */
export function iso(at: number): string {
  return new Date(at).toISOString();
}
