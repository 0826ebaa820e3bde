import { Locale } from '#shared/wire.ts';
import { HOUR_MS } from '../platform/clock.ts';
import type { DeviceCaller, FindCaller } from '../platform/http/access.ts';
import type { Database } from '../platform/database.ts';
import type { Schema } from '../platform/schema.ts';
import { hashToken } from '../platform/secrets/secrets.ts';
import { statement } from '../platform/steps.ts';
import { findSource } from '../sources/find.ts';
import { DEVICE_LIFE_MS } from './admit.ts';

const SEEN_EVERY_MS = HOUR_MS;

type CallerRow = Pick<Schema['devices'], 'id' | 'name' | 'person_id' | 'seen_at' | 'expires_at' | 'revoked_at'> & {
  handle: string;
  person_name: string;
  owner: number;
  locale: string | null;
};
const byToken = statement<CallerRow>(
  `select d.id, d.name, d.person_id, d.seen_at, d.expires_at, d.revoked_at, p.handle, p.name as person_name, p.owner,
    p.locale from devices d join people p on p.id = d.person_id where d.token_hash = ?1`,
);

/** Finds the source or the device that holds a token. */
export function callerIn(database: Database): FindCaller {
  return async (token) => {
    if (token.startsWith('bks_')) return findSource(database, token);
    return token.startsWith('bkd_') ? findDevice(database, token) : 'unknown';
  };
}

/** The device that holds this token, read from the database at each call, so that a revoke is at once. */
export async function findDevice(
  database: Database,
  token: string,
): Promise<DeviceCaller | 'unknown' | 'revoked' | 'expired'> {
  const [[row]] = await database.rows(byToken(hashToken(token)));
  if (!row) return 'unknown';
  if (row.revoked_at !== null) return 'revoked';
  const now = database.clock.now();
  if (row.expires_at <= now) return 'expired';
  if (row.seen_at <= now - SEEN_EVERY_MS) await markSeen(database, row.id, now);
  const locale = row.locale === null ? undefined : Locale.safeParse(row.locale).data;
  return {
    kind: 'device',
    id: row.id,
    name: row.name,
    person: { id: row.person_id, handle: row.handle, name: row.person_name, owner: row.owner === 1, locale },
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
