import { Locale } from '#shared/wire.ts';
import { HOUR_MS } from '../platform/clock.ts';
import type { DeviceCaller } from '../platform/http/access.ts';
import type { Database } from '../platform/database.ts';
import { hashToken } from '../platform/secrets/secrets.ts';
import { DEVICE_LIFE_MS } from './admit.ts';

const SEEN_EVERY_MS = HOUR_MS;

/** The device that holds this token, read from the database at each call, so that a revoke is at once. */
export async function findDevice(
  database: Database,
  token: string,
): Promise<DeviceCaller | 'unknown' | 'revoked' | 'expired'> {
  const row = await database.read
    .selectFrom('devices')
    .innerJoin('people', 'people.id', 'devices.person_id')
    .select(['devices.id as id', 'devices.name as name', 'person_id', 'seen_at', 'expires_at', 'revoked_at'])
    .select([
      'people.handle as handle',
      'people.name as personName',
      'people.owner as owner',
      'people.locale as locale',
    ])
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst();
  if (!row) return 'unknown';
  if (row.revoked_at !== null) return 'revoked';
  const now = database.clock.now();
  if (row.expires_at <= now) return 'expired';
  if (row.seen_at <= now - SEEN_EVERY_MS) await markSeen(database, row.id, now);
  const locale = Locale.safeParse(row.locale).data;
  return {
    kind: 'device',
    id: row.id,
    name: row.name,
    person: { id: row.person_id, handle: row.handle, name: row.personName, owner: row.owner === 1, locale },
  };
}

// The 90 days slide in steps of an hour: a write for each call would buy nothing.
async function markSeen(database: Database, id: string, now: number): Promise<void> {
  await database.transaction((trx) =>
    trx
      .updateTable('devices')
      .set({ seen_at: now, expires_at: now + DEVICE_LIFE_MS })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now)
      .where('seen_at', '<=', now - SEEN_EVERY_MS)
      .execute(),
  );
}
