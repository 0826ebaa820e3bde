import { hash } from 'node:crypto';
import { canonical } from '#shared/json.ts';
import { DAY_MS, HOUR_MS, iso } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { seal, unseal } from '../../platform/secrets/secrets.ts';
import { readRows, statement } from '../../platform/steps.ts';
import { categoryOf } from './endpoint.ts';
import { EventRefusal } from './refusal.ts';

/** Subscriptions of one source. */
export const MOST = 100;
const TTL_MS = { least: 60_000, usual: HOUR_MS, most: 7 * DAY_MS };
/** So long after a change of secret the one before signs too. */
const GRACE_MS = 600_000;
/** The newest events of a subscription that its status tells of. */
const NEWEST = 20;

export type Wanted = { name: string; arguments: { inquiryId?: string | undefined }; delivery: { url: string } };

/** Of one source, address, event and arguments; who knows it can do nothing with it. */
export function subscriptionId(sourceId: string, { name, arguments: args, delivery }: Wanted): string {
  return `sub_${hash('sha256', canonical([sourceId, delivery.url, name, args]), 'base64url')}`;
}

/** When a subscription ends that its client wants for so long: null is for ever, which nobody gets. */
export function grantUntil(ttlMs: number | null | undefined, now: number): number {
  const wanted = ttlMs === undefined ? TTL_MS.usual : (ttlMs ?? TTL_MS.most);
  return now + Math.round(Math.min(TTL_MS.most, Math.max(TTL_MS.least, wanted)));
}

/** Whether this source may have one more of this id and whether its endpoint said yes before, to this source. */
export async function lookUp({ read }: Pick<Database, 'read'>, sourceId: string, id: string, url: string, now: number) {
  const rows = await read
    .selectFrom('event_subscriptions')
    .select(['id', 'url'])
    .where('source_id', '=', sourceId)
    .where('expires_at', '>', now)
    .execute();
  return {
    known: rows.some((row) => row.id === id),
    full: rows.filter((row) => row.id !== id).length >= MOST,
    verified: rows.some((row) => row.url === url),
  };
}

const lockSource = statement('select id from sources where id = ?1 for no key update');

/**
 * Writes a subscription down, or renews it: its time anew, its secret replaced, the one before good for a while. Throws
 * "ResourceExhausted" where its source has too many, "Forbidden" where that was revoked meanwhile.
 */
export function keep(
  database: Database,
  sealingKey: Buffer,
  sourceId: string,
  { wanted, secret, ttlMs }: { wanted: Wanted; secret: string; ttlMs: number | null | undefined },
): Promise<{ id: string; expiresAt: number }> {
  const id = subscriptionId(sourceId, wanted);
  return database.transaction(async (trx) => {
    const now = database.clock.now();
    const expiresAt = grantUntil(ttlMs, now);
    await readRows(trx, lockSource(sourceId));
    const source = await trx
      .updateTable('sources')
      .set({ subscribed: 1 })
      .where('id', '=', sourceId)
      .where('revoked_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!source) throw new EventRefusal('Forbidden', 'This key was revoked.');
    const rows = await trx.selectFrom('event_subscriptions').selectAll().where('source_id', '=', sourceId).execute();
    if (rows.filter((row) => row.id !== id && row.expires_at > now).length >= MOST) throw tooMany();
    const before = rows.find((row) => row.id === id);
    const changed = before && unseal(sealingKey, before.secret) !== secret;
    const written = {
      expires_at: expiresAt,
      ...(before && !changed ? {} : { secret: seal(sealingKey, secret) }),
      ...(changed ? { old_secret: before.secret, old_until: now + GRACE_MS } : {}),
    };
    if (before) await trx.updateTable('event_subscriptions').set(written).where('id', '=', id).execute();
    else
      await trx
        .insertInto('event_subscriptions')
        .values({
          id,
          source_id: sourceId,
          name: wanted.name,
          inquiry_id: wanted.arguments.inquiryId ?? null,
          url: wanted.delivery.url,
          secret: seal(sealingKey, secret),
          created_at: now,
          ...written,
        })
        .execute();
    return { id, expiresAt };
  });
}

export function tooMany(): EventRefusal {
  return new EventRefusal('ResourceExhausted', `A source has at most ${MOST} subscriptions.`, {
    limit: 'subscriptions',
    max: MOST,
  });
}

/** Ends a subscription of this source; false: it has none of this id. */
export function drop(database: Database, sourceId: string, id: string): Promise<boolean> {
  return database.transaction(async (trx) => {
    await readRows(trx, lockSource(sourceId));
    const gone = await trx
      .deleteFrom('event_subscriptions')
      .where('id', '=', id)
      .where('source_id', '=', sourceId)
      .returning('expires_at')
      .executeTakeFirst();
    if (gone) await noteLast(trx, sourceId);
    return gone !== undefined && gone.expires_at > database.clock.now();
  });
}

/** Where a source has none any more, its resolutions look for none. Its row is locked. */
async function noteLast(trx: Transaction, sourceId: string): Promise<void> {
  await trx
    .updateTable('sources')
    .set({ subscribed: 0 })
    .where('id', '=', sourceId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('event_subscriptions').select('id').where('source_id', '=', sourceId))),
    )
    .execute();
}

/** Ends what is past its time or of a revoked source, and returns the latter: their endpoints are told. */
export async function endOver(database: Database) {
  const now = database.clock.now();
  const over = await database.read
    .selectFrom('event_subscriptions')
    .innerJoin('sources', 'sources.id', 'source_id')
    .select(['event_subscriptions.id', 'source_id'])
    .where((row) => row.or([row('expires_at', '<=', now), row('revoked_at', 'is not', null)]))
    .execute();
  const revoked = [];
  for (const [sourceId, rows] of Map.groupBy(over, (row) => row.source_id))
    revoked.push(...(await endOf(database, sourceId, rows)));
  return revoked;
}

function endOf(database: Database, sourceId: string, rows: { id: string }[]) {
  return database.transaction(async (trx) => {
    await readRows(trx, lockSource(sourceId));
    const ids = rows.map(({ id }) => id);
    const source = await trx.selectFrom('sources').select('revoked_at').where('id', '=', sourceId).executeTakeFirst();
    const isRevoked = source?.revoked_at !== null;
    const ended = await trx
      .deleteFrom('event_subscriptions')
      .where('id', 'in', ids)
      // A client may have come back meanwhile.
      .$if(!isRevoked, (found) => found.where('expires_at', '<=', database.clock.now()))
      .returning(['id', 'url', 'secret', 'expires_at'])
      .execute();
    await noteLast(trx, sourceId);
    return isRevoked ? ended.filter(({ expires_at }) => expires_at > database.clock.now()) : [];
  });
}

/** Whether this source's client is told by an event when this inquiry ends. */
export async function isTold({ read, clock }: Database, sourceId: string, inquiryId: string): Promise<boolean> {
  const row = await read
    .selectFrom('event_subscriptions')
    .select('id')
    .where('source_id', '=', sourceId)
    .where('name', '=', 'inquiry.resolved')
    .where((one) => one.or([one('inquiry_id', 'is', null), one('inquiry_id', '=', inquiryId)]))
    .where('expires_at', '>', clock.now())
    .executeTakeFirst();
  return row !== undefined;
}

/** How the newest events of a subscription fared, in the words of SEP-3415. */
export async function readStatus({ read }: Pick<Database, 'read'>, sourceId: string, id: string) {
  const attempts = await read
    .selectFrom('delivery_attempts')
    .select(['at', 'status', 'error'])
    .where('delivery_id', 'in', (db) =>
      db.selectFrom('deliveries').select('id').where('subscription_id', '=', id).orderBy('id', 'desc').limit(NEWEST),
    )
    .orderBy('at', 'desc')
    .limit(NEWEST)
    .execute();
  const source = await read
    .selectFrom('sources')
    .select('webhooks_paused_at')
    .where('id', '=', sourceId)
    .executeTakeFirst();
  const taken = attempts.findIndex((one) => categoryOf(one) === undefined);
  const failed = taken === -1 ? attempts : attempts.slice(0, taken);
  const since = failed.at(-1);
  return {
    active: source?.webhooks_paused_at === null,
    lastDeliveryAt: taken === -1 ? null : iso(attempts[taken]!.at),
    lastError: (failed[0] && categoryOf(failed[0])) ?? null,
    ...(since === undefined ? {} : { failedSince: iso(since.at) }),
  };
}
