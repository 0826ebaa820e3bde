import { Locale } from '#shared/wire.ts';
import type { SourceCaller } from '../platform/http/access.ts';
import type { Database } from '../platform/database.ts';
import { hashToken } from '../platform/secrets/secrets.ts';

const USED_EVERY_MS = 60_000;

/** The source that holds this key, read from the database at each call; a revoked key is as good as unknown. */
export async function findSource(database: Database, key: string): Promise<SourceCaller | 'unknown'> {
  const row = await database.read
    .selectFrom('sources')
    .select(['id', 'name', 'owner_id', 'locale', 'used_at', 'revoked_at'])
    .where('key_hash', '=', hashToken(key))
    .executeTakeFirst();
  if (!row || row.revoked_at !== null) return 'unknown';
  await markUsed(database, row.id, row.used_at);
  return {
    kind: 'source',
    id: row.id,
    name: row.name,
    ownerId: row.owner_id,
    locale: Locale.safeParse(row.locale).data,
  };
}

// A flush for each call would cost more than the call: once a minute tells the owner as much.
async function markUsed(database: Database, id: string, usedAt: number | null): Promise<void> {
  const now = database.clock.now();
  if (usedAt !== null && usedAt > now - USED_EVERY_MS) return;
  await database.transaction((trx) =>
    trx
      .updateTable('sources')
      .set({ used_at: now })
      .where('id', '=', id)
      .where((row) => row.or([row('used_at', 'is', null), row('used_at', '<=', now - USED_EVERY_MS)]))
      .execute(),
  );
}
