import { batched } from '../platform/batched.ts';
import type { Database } from '../platform/database.ts';
import { keys, lastly, statement } from '../platform/steps.ts';

/** So many rows at once, and a flush so often, that an ask beside them does not wait long. */
const BATCH = { most: 500, restMs: 100 };
const GONE = 0;

const setLive = statement(`update devices set live_until = cast(cast(change.value as text) as bigint)
  from json_each(?1) as change where devices.id = change.key
  and (cast(change.value as text) = '${GONE}' or (revoked_at is null and expires_at > ?2))`);
const signedIn = statement<{ id: string }>(`select id from devices where id in (select key from json_each(?1))
  and revoked_at is null and expires_at > ?2`);

/** Says until when (ms) each of these devices has a live page; 0: its last one is gone. One statement, however many. */
export async function writeLive(database: Database, until: ReadonlyMap<string, number>): Promise<void> {
  const changes = JSON.stringify(Object.fromEntries(until));
  await database.steps(() => lastly(setLive(changes, database.clock.now())));
}

export type Presence = ReturnType<typeof createPresence>;

/** Writes which devices have a live page in batches, since a node that goes or comes changes thousands in one moment. */
export function createPresence(database: Database, failed: (error: unknown) => void) {
  const write = batched(BATCH, async (changes: [deviceId: string, until: number][]) => {
    // Of one device the last change counts.
    await writeLive(database, new Map(changes)).catch(failed);
    return changes;
  });
  return {
    touch: (deviceId: string, until: number): void => void write([deviceId, until]),
    /** Its last live page is gone. */
    drop: (deviceId: string): void => void write([deviceId, GONE]),
  };
}

/** Which of these devices are not revoked, removed or run out. */
export async function signedInAmong(database: Database, deviceIds: readonly string[]): Promise<Set<string>> {
  if (deviceIds.length === 0) return new Set();
  const [rows] = await database.rows(signedIn(keys(deviceIds), database.clock.now()));
  return new Set(rows.map(({ id }) => id));
}
