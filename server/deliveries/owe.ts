import { sql } from 'kysely';
import { newId } from '#shared/ids.ts';
import { iso } from '../platform/clock.ts';
import type { Transaction } from '../platform/database.ts';
import { DAY_MS } from './schedule.ts';

export type DeliveryType = 'inquiry.resolved' | 'inquiry.unreachable' | 'inquiry.late_answer';
export type Owed = {
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
export async function owe(
  trx: Transaction,
  { sourceId, inquiryId, type, data, at, callbackUrl }: Owed,
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
        id: newId('dlv', at),
        source_id: sourceId,
        ...queueOf(sourceId, url.url),
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

/** An address that cannot be read is stored as it came: its delivery fails with the reason, and the caller's transaction goes on. */
function addressOf(text: string): string {
  return URL.canParse(text) ? new URL(text).href : text;
}

/** A source's queue for one host, in the slow share while something else waits there; an address that cannot be read has its own. */
function queueOf(sourceId: string, url: string) {
  const queue = `${sourceId} ${URL.canParse(url) ? new URL(url).origin : url}`;
  const slow = sql<number>`case when exists (select 1 from deliveries
    where queue = ${queue} and state = 'pending' and slow = 1) then 1 else 0 end`;
  return { queue, slow };
}
