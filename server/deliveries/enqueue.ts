import { sql } from 'kysely';
import { newId } from '#shared/ids.ts';
import { AppError } from '#shared/problem.ts';
import type { WebhookDelivery } from '#shared/wire.ts';
import { DAY_MS, iso } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { readDelivery } from './read.ts';

export type DeliveryType = 'inquiry.resolved' | 'inquiry.unreachable' | 'inquiry.late_answer';
export type NewWebhook = {
  sourceId: string;
  inquiryId: string;
  type: DeliveryType;
  /** Reads the inquiry, only if somebody is to be told; it may hold numbers kept as source text. */
  data: () => Promise<unknown>;
  at: number;
  callbackUrl?: string | undefined;
};

/**
 * Writes down, in the caller's transaction, that a source's webhook and the inquiry's callback are to be
 * told; returns how many. The body is fixed here, so every attempt sends the same bytes (DLV1).
 */
export async function enqueueWebhook(
  trx: Transaction,
  { sourceId, inquiryId, type, data, at, callbackUrl }: NewWebhook,
): Promise<number> {
  const source = await trx
    .selectFrom('sources')
    .select('webhook_url')
    .where('id', '=', sourceId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (source === undefined) return 0;
  const typed = source.webhook_url === null ? undefined : addressOf(source.webhook_url);
  const asked = callbackUrl === undefined ? undefined : addressOf(callbackUrl);
  const urls = [
    ...(typed === undefined ? [] : [{ url: typed, typed_by_owner: 1 }]),
    ...(asked === undefined || asked === typed ? [] : [{ url: asked, typed_by_owner: 0 }]),
  ];
  if (urls.length === 0) return 0;
  const body = JSON.stringify({ type, timestamp: iso(at), data: await data() });
  await trx
    .insertInto('deliveries')
    .values(
      urls.map((url) => ({
        ...url,
        ...queueOf(sourceId, url.url),
        id: newId('dlv', at),
        source_id: sourceId,
        inquiry_id: inquiryId,
        type,
        body,
        state: 'pending',
        created_at: at,
        due_at: at,
        give_up_at: at + DAY_MS,
      })),
    )
    .execute();
  return urls.length;
}

/** Enqueues a delivery once more, from now on for another day; 409 while it is still being tried, 404 for another source. */
export function replay(
  database: Database,
  { id, sourceId, now }: { id: string; sourceId: string; now: number },
): Promise<WebhookDelivery> {
  return database.transaction(async (trx) => {
    const replayed = await trx
      .updateTable('deliveries')
      .set({ state: 'pending', due_at: now, give_up_at: now + DAY_MS, claimed_until: null })
      .where('id', '=', id)
      .where('source_id', '=', sourceId)
      .where('state', '!=', 'pending')
      .returning('id')
      .executeTakeFirst();
    const delivery = await readDelivery(trx, id, sourceId);
    if (replayed) return delivery;
    const detail = `This delivery is still being tried; the next attempt is due at ${delivery.dueAt}.`;
    throw new AppError(409, 'delivery.pending', detail);
  });
}

/** An address that cannot be read is stored as it came: its delivery fails with the reason, and the caller's transaction goes on. */
function addressOf(text: string): string {
  return URL.parse(text)?.href ?? text;
}

/** A source's queue for one host, in the slow share while something else waits there. */
function queueOf(sourceId: string, url: string) {
  const queue = `${sourceId} ${URL.parse(url)?.origin ?? url}`;
  const slow = sql<number>`case when exists (select 1 from deliveries
    where queue = ${queue} and state = 'pending' and slow = 1) then 1 else 0 end`;
  return { queue, slow };
}
