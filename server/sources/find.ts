import type { SourceDecider } from '#shared/policies/decider.ts';
import { Locale } from '#shared/wire.ts';
import type { SourceCaller } from '../platform/http/access.ts';
import type { Database } from '../platform/database.ts';
import type { Schema } from '../platform/schema.ts';
import { hashToken } from '../platform/secrets/secrets.ts';
import { statement } from '../platform/steps.ts';

const USED_EVERY_MS = 60_000;

const byKey = statement<
  Pick<Schema['sources'], 'id' | 'owner_id' | 'name' | 'locale' | 'used_at' | 'revoked_at' | 'decider'> & {
    subscribed: number;
  }
>('select id, owner_id, name, locale, used_at, revoked_at, decider, subscribed from sources where key_hash = ?1');

/** The source that holds this key, read from the database at each call; a revoked key is as good as unknown. */
export async function findSource(database: Database, key: string): Promise<SourceCaller | 'unknown'> {
  const [[row]] = await database.rows(byKey(hashToken(key)));
  if (!row || row.revoked_at !== null) return 'unknown';
  const now = database.clock.now();
  await markUsed(database, row, now);
  return {
    kind: 'source',
    id: row.id,
    name: row.name,
    ownerId: row.owner_id,
    ...(row.decider !== null && (JSON.parse(row.decider) as SourceDecider).agentMayAsk ? { mayAskDecider: true } : {}),
    ...(row.subscribed === 1 ? { subscribed: true } : {}),
    locale: row.locale === null ? undefined : Locale.safeParse(row.locale).data,
  };
}

/** Notes that a source called. A flush for each call would cost more than the call: once a minute tells the owner as much. */
export async function markUsed(
  database: Database,
  { id, used_at: usedAt }: Pick<Schema['sources'], 'id' | 'used_at'>,
  now: number,
): Promise<void> {
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
