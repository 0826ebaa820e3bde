import { sql } from 'kysely';
import type { Database } from '../platform/database.ts';

// Both engines limit the parameters of a statement.
const PORTION = 500;

/** Says that these devices have a live page until then (ms). */
export async function touchLive(database: Database, deviceIds: readonly string[], until: number): Promise<void> {
  for (let at = 0; at < deviceIds.length; at += PORTION)
    await database.transaction((trx) =>
      trx
        .updateTable('devices')
        .set({ live_until: until })
        .where('id', 'in', deviceIds.slice(at, at + PORTION))
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', database.clock.now())
        .execute(),
    );
}

/** Which of these devices are not revoked, removed or run out. */
export async function signedInAmong(database: Database, deviceIds: readonly string[]): Promise<Set<string>> {
  if (deviceIds.length === 0) return new Set();
  const list = JSON.stringify(deviceIds);
  const rows = await database.read
    .selectFrom('devices')
    .select('id')
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', database.clock.now())
    // As one parameter, so that it is one statement however many there are.
    .where(
      'id',
      'in',
      database.engine === 'postgres'
        ? sql<string>`(select json_array_elements_text(${list}::json))`
        : sql<string>`(select value from json_each(${list}))`,
    )
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Says that the last live page of this device is gone. */
export async function dropLive(database: Database, deviceId: string): Promise<void> {
  await database.transaction((trx) =>
    trx.updateTable('devices').set({ live_until: 0 }).where('id', '=', deviceId).execute(),
  );
}
