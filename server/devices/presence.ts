import type { Database } from '../platform/database.ts';

// Both engines limit the parameters of a statement.
const PORTION = 500;

/**
 * Says that these devices have a live page until then (ms), and returns those that may keep it: a device that was
 * revoked or ran out meanwhile is missing and its sockets must be closed.
 */
export async function touchLive(database: Database, deviceIds: readonly string[], until: number): Promise<Set<string>> {
  const kept = new Set<string>();
  for (let at = 0; at < deviceIds.length; at += PORTION) {
    const rows = await database.transaction((trx) =>
      trx
        .updateTable('devices')
        .set({ live_until: until })
        .where('id', 'in', deviceIds.slice(at, at + PORTION))
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', database.clock.now())
        .returning('id')
        .execute(),
    );
    for (const row of rows) kept.add(row.id);
  }
  return kept;
}

/** Says that the last live page of this device is gone. */
export async function dropLive(database: Database, deviceId: string): Promise<void> {
  await database.transaction((trx) =>
    trx.updateTable('devices').set({ live_until: 0 }).where('id', '=', deviceId).execute(),
  );
}
