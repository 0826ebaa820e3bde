import type { Kysely, Selectable } from 'kysely';
import type { PushDelivery, WebhookDelivery } from '#shared/wire.ts';
import { AppError } from '#shared/problem.ts';
import { iso } from '../platform/clock.ts';
import { cutPage, type Page } from '../platform/http/params.ts';
import type { Schema } from '../platform/schema.ts';

type Row = Selectable<Schema['deliveries']>;
export type DeliveryState = WebhookDelivery['state'];

type Listing = { sourceId: string; state?: DeliveryState | undefined; cursor?: string | undefined; limit: number };

/** The webhooks of one inquiry, oldest first, each with its attempts of the last 7 days. */
export async function deliveriesOf(reader: Kysely<Schema>, inquiryId: string): Promise<WebhookDelivery[]> {
  return withAttempts(
    reader,
    await reader
      .selectFrom('deliveries')
      .selectAll()
      .where('inquiry_id', '=', inquiryId)
      .orderBy('created_at')
      .orderBy('id')
      .execute(),
  );
}

/** Those of these inquiries whose answer a connection's platform refused with 409 or 410, since it had another one. */
export async function notTakenOf(reader: Kysely<Schema>, inquiryIds: string[]): Promise<Set<string>> {
  if (inquiryIds.length === 0) return new Set();
  const rows = await reader
    .selectFrom('deliveries')
    .innerJoin('connections', 'connections.source_id', 'deliveries.source_id')
    .innerJoin('inquiries', 'inquiries.id', 'deliveries.inquiry_id')
    .select('inquiry_id')
    .where('inquiry_id', 'in', inquiryIds)
    .where('type', '=', 'inquiry.resolved')
    .where('state', '=', 'gone')
    .where('outcome', 'in', ['answered', 'declined'])
    .where('typed_by_owner', '=', 1)
    .where((row) => row.or([row('connections.answer', 'is not', null), row('connections.kind', '=', 'langgraph')]))
    .execute();
  return new Set(rows.map((row) => row.inquiry_id));
}

/** One page of a source’s webhooks, newest first; `nextCursor` absent: the last page. */
export async function pageOfDeliveries(
  reader: Kysely<Schema>,
  { sourceId, state, cursor, limit }: Listing,
): Promise<Page<WebhookDelivery>> {
  const rows = await reader
    .selectFrom('deliveries')
    .selectAll()
    .where('source_id', '=', sourceId)
    .$if(state !== undefined, (query) => query.where('state', '=', state!))
    .$if(cursor !== undefined, (query) => query.where('id', '<', cursor!))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const [shown, next] = cutPage(rows, limit);
  return { items: await withAttempts(reader, shown), ...next };
}

/** One delivery of this source; 404 for every other source. */
export async function readDelivery(reader: Kysely<Schema>, id: string, sourceId: string): Promise<WebhookDelivery> {
  const rows = await reader
    .selectFrom('deliveries')
    .selectAll()
    .where('id', '=', id)
    .where('source_id', '=', sourceId)
    .execute();
  const [delivery] = await withAttempts(reader, rows);
  if (delivery === undefined) throw new AppError(404, 'delivery.unknown', 'There is no such delivery of this source.');
  return delivery;
}

async function withAttempts(reader: Kysely<Schema>, rows: Row[]): Promise<WebhookDelivery[]> {
  if (rows.length === 0) return [];
  const attempts = await reader
    .selectFrom('delivery_attempts')
    .selectAll()
    .where(
      'delivery_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('number')
    .execute();
  const tried = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
  return rows.map((row) => webhookOf(row, tried.get(row.id) ?? []));
}

function webhookOf(row: Row, attempts: Selectable<Schema['delivery_attempts']>[]): WebhookDelivery {
  return {
    id: row.id,
    type: row.type,
    inquiryId: row.inquiry_id,
    url: row.url,
    state: row.state as DeliveryState,
    createdAt: iso(row.created_at),
    ...(row.state === 'pending' && row.due_at !== null ? { dueAt: iso(row.due_at) } : {}),
    attemptCount: row.attempt_count,
    attempts: attempts.map(attemptOf),
  };
}

/** One try of a webhook or a push as the wire shows it. */
function attemptOf({ at, status, error, ms }: Omit<Selectable<Schema['delivery_attempts']>, 'delivery_id'>) {
  return { at: iso(at), ...(status === null ? {} : { status }), ...(error === null ? {} : { error }), ms };
}

/** What was pushed of one inquiry, by device, with the attempts of the last 7 days (DLV2). */
export async function pushesOf(reader: Kysely<Schema>, inquiryId: string): Promise<Map<string, PushDelivery>> {
  const rows = await reader.selectFrom('pushes').selectAll().where('subject_id', '=', inquiryId).execute();
  if (rows.length === 0) return new Map();
  const attempts = await reader
    .selectFrom('push_attempts')
    .selectAll()
    .where('subject_id', '=', inquiryId)
    .orderBy('number')
    .execute();
  const tried = Map.groupBy(attempts, ({ device_id }) => device_id);
  return new Map(
    rows.map((row) => [
      row.device_id,
      {
        state: stateOf(row),
        attempts: (tried.get(row.device_id) ?? []).map((attempt) => ({
          kind: attempt.kind as 'ask' | 'withdraw',
          ...attemptOf(attempt),
        })),
      },
    ]),
  );
}

function stateOf(row: Selectable<Schema['pushes']>): PushDelivery['state'] {
  if (row.due_at !== null) return 'pending';
  if (row.wanted === 'nothing') return 'dropped';
  if (row.sent === 'digest') return 'digest';
  if (row.sent !== row.wanted || row.accepted_at === null) return 'failed';
  return row.wanted === 'ask' ? 'sent' : 'withdrawn';
}
