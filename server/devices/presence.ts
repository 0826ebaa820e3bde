import { batched } from '../platform/batched.ts';
import type { Database } from '../platform/database.ts';
import { commitWith, keys, statement } from '../platform/steps.ts';

/** So many rows at once, and a flush so often, that an ask beside them does not wait long. */
const BATCH = { most: 500, restMs: 100 };

const until = 'cast(cast(change.value as text) as bigint)';
const setLive = statement(`update devices set live_until = case when ${until} > 0 then ${until} else 0 end
  from json_each(?1) as change where devices.id = change.key
  and case when ${until} > 0 then revoked_at is null and expires_at > ?2 else live_until <= -${until} end`);
const signedIn = statement<{ id: string }>(`select id from devices where id in (select key from json_each(?1))
  and revoked_at is null and expires_at > ?2`);

/**
 * Says until when (ms) each of these devices has a live page; below 0: it has none if nobody said one was live for longer
 * than that. One statement, however many.
 */
export async function writeLive(database: Database, until: ReadonlyMap<string, number>): Promise<void> {
  const changes = JSON.stringify(Object.fromEntries(until));
  await database.steps(() => commitWith({ set: setLive(changes, database.clock.now()) }));
}

export type Presence = ReturnType<typeof createPresence>;

/** Writes which devices have a live page in batches, since a node that goes or comes changes thousands in one moment. */
export function createPresence(database: Database, failed: (error: unknown) => void) {
  const write = batched(BATCH, async (changes: [deviceId: string, until: number][]) => {
    // Of one device the last change counts.
    await writeLive(database, new Map(changes)).catch(failed);
    return changes;
  });
  const touched = new Map<string, number>();
  return {
    touch(deviceId: string, until: number): void {
      touched.set(deviceId, until);
      void write([deviceId, until]);
    },
    /** Its last live page on this node is gone; it may have come to another node before this is written. */
    drop(deviceId: string): void {
      void write([deviceId, -(touched.get(deviceId) ?? 0)]);
      touched.delete(deviceId);
    },
  };
}

/** Which of these devices are not revoked, removed or run out. */
export async function signedInAmong(database: Database, deviceIds: readonly string[]): Promise<Set<string>> {
  if (deviceIds.length === 0) return new Set();
  const [rows] = await database.rows(signedIn(keys(deviceIds), database.clock.now()));
  return new Set(rows.map(({ id }) => id));
}
