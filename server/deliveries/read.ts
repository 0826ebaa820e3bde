import { sql, type Kysely, type Selectable } from 'kysely';
import type { PushDelivery, WebhookDelivery } from '#shared/schemas/deliveries.ts';
import { AppError } from '#shared/problem.ts';
import { iso } from '../platform/clock.ts';
import { readPage, type Page } from '../platform/http/params.ts';
import { splitPortions, sumBytes, takingTurns, type Turn } from '../platform/loop.ts';
import type { Schema } from '../platform/schema.ts';
import { readStored, viewUndamaged } from '../platform/stored.ts';
import { takeTurn } from '../platform/turns.ts';

type DeliveryRow = Pick<Selectable<Schema['deliveries']>, (typeof SHOWN)[number]> & { rest_until: number | null };
export type DeliveryState = WebhookDelivery['state'];

/** How many attempts of one delivery are read or counted: a source can have it tried without end. */
export const NEWEST = 50;

/** What a list shows; bodies are read one at a time. */
const SHOWN = [
  'id',
  'source_id',
  'inquiry_id',
  'type',
  'url',
  'typed_by_owner',
  'state',
  'created_at',
  'due_at',
  'attempt_count',
] as const;

/** A source sees its own deliveries, the owner those of every source, but of a question only where they were asked. */
export type DeliveryViewer = { sourceId: string } | { ownerId: string };

type Listing = {
  viewer: DeliveryViewer;
  sourceId?: string | undefined;
  state?: DeliveryState | undefined;
  cursor?: string | undefined;
  limit: number;
};

/** The webhooks of one inquiry, oldest first, each with its newest 50 attempts of the last 7 days. */
export async function readDeliveries(reader: Kysely<Schema>, inquiryId: string): Promise<WebhookDelivery[]> {
  return withAttempts(
    reader,
    await selectDeliveries(reader).where('inquiry_id', '=', inquiryId).orderBy('created_at').orderBy('id').execute(),
  );
}

/** Those of these inquiries whose answer a connection's platform refused with 409 or 410, since it had another one. */
export async function readNotTaken(reader: Kysely<Schema>, inquiryIds: string[]): Promise<Set<string>> {
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

/** One page of the webhooks that somebody may see, newest first; `nextCursor` absent: the last page. */
export async function readDeliveryPage(
  reader: Kysely<Schema>,
  { viewer, sourceId, state, cursor, limit }: Listing,
  turn: Turn = takingTurns(),
): Promise<Page<WebhookDelivery>> {
  const rows = visibleTo(reader, viewer)
    .$if(sourceId !== undefined, (query) => query.where('source_id', '=', sourceId!))
    .$if(state !== undefined, (query) => query.where('state', '=', state!))
    .$if(cursor !== undefined, (query) => query.where('id', '<', cursor!))
    .orderBy('id', 'desc');
  return readPage(rows, limit, (shown) => asSeen(reader, shown, viewer, turn));
}

/** One delivery with the bytes that are sent; 404 where it is not this viewer's. */
export async function readDelivery(
  reader: Kysely<Schema>,
  id: string,
  viewer: DeliveryViewer,
): Promise<WebhookDelivery> {
  const row = await visibleTo(reader, viewer).select('body').where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError(404, 'delivery.unknown', 'There is no such delivery here.');
  const [delivery] = await asSeen(reader, [row], viewer);
  return { ...delivery!, ...(delivery!.title === undefined ? {} : { body: row.body }) };
}

/** What hung, or wants to be, is left alone until `rest_until`, with all that waits for the same endpoint. */
function selectDeliveries(reader: Kysely<Schema>) {
  return reader
    .selectFrom('deliveries')
    .select(SHOWN)
    .select((row) =>
      row
        .selectFrom('delivery_queues')
        .select('rest_until')
        .whereRef('delivery_queues.queue', '=', 'deliveries.queue')
        .as('rest_until'),
    );
}

function visibleTo(reader: Kysely<Schema>, viewer: DeliveryViewer) {
  return selectDeliveries(reader).$if('sourceId' in viewer, (query) =>
    query.where('source_id', '=', (viewer as { sourceId: string }).sourceId),
  );
}

async function asSeen(
  reader: Kysely<Schema>,
  rows: DeliveryRow[],
  viewer: DeliveryViewer,
  turn?: Turn,
): Promise<WebhookDelivery[]> {
  if (rows.length === 0) return [];
  const titles = await readTitles(reader, rows, viewer, turn);
  return (await withAttempts(reader, rows)).map((delivery, at) => {
    const title = titles.get(delivery.inquiryId);
    const row = rows[at]!;
    // The path and query of a callback may be of a question that is somebody else's, or let in.
    const origin = row.typed_by_owner === 1 ? {} : { url: URL.parse(row.url)?.origin ?? '' };
    const shown = title === undefined ? origin : { title };
    return { ...delivery, sourceId: row.source_id, ...shown };
  });
}

/** What those of their inquiries are called that this viewer may read; with a `turn` outside of any transaction. */
async function readTitles(
  reader: Kysely<Schema>,
  rows: DeliveryRow[],
  viewer: DeliveryViewer,
  turn?: Turn,
): Promise<Map<string, string>> {
  const asked = reader.selectFrom('inquiries').$if('ownerId' in viewer, (query) =>
    query.where('id', 'in', (db) =>
      db
        .selectFrom('recipients')
        .select('inquiry_id')
        .where('person_id', '=', (viewer as { ownerId: string }).ownerId)
        .whereRef('inquiry_id', '=', 'inquiries.id'),
    ),
  );
  const ids = rows.map((row) => row.inquiry_id);
  const sizes = await asked
    .select(['id', sql<number>`octet_length(asked)`.as('bytes')])
    .where('id', 'in', ids)
    .execute();
  if (turn) await takeTurn(sumBytes(sizes));
  const titles = new Map<string, string>();
  for (const portion of splitPortions(sizes)) {
    const among = portion.map(({ id }) => id);
    for (const row of await asked.select(['id', 'asked']).where('id', 'in', among).execute()) {
      await turn?.();
      titles.set(row.id, viewUndamaged(row, ({ asked }) => readStored<{ title?: string }>(asked).title) ?? '');
    }
  }
  return titles;
}

async function withAttempts(reader: Kysely<Schema>, rows: DeliveryRow[]): Promise<WebhookDelivery[]> {
  if (rows.length === 0) return [];
  const attempts = await reader
    .selectFrom('deliveries')
    .innerJoin('delivery_attempts', 'delivery_id', 'deliveries.id')
    .selectAll('delivery_attempts')
    // Their number is what the delivery counted then.
    .whereRef('number', '>', (delivery) => delivery('attempt_count', '-', NEWEST))
    .where(
      'deliveries.id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('number')
    .execute();
  const tried = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
  // One that came since the row was read would contradict its state.
  const until = ({ id, attempt_count: count }: DeliveryRow) => tried.get(id)?.filter(({ number }) => number <= count);
  return rows.map((row) => toWebhook(row, until(row) ?? []));
}

function toWebhook(row: DeliveryRow, attempts: Selectable<Schema['delivery_attempts']>[]): WebhookDelivery {
  return {
    id: row.id,
    type: row.type,
    inquiryId: row.inquiry_id,
    url: row.url,
    state: row.state as DeliveryState,
    createdAt: iso(row.created_at),
    ...(row.state === 'pending' && row.due_at !== null
      ? { dueAt: iso(Math.max(row.due_at, row.rest_until ?? 0)) }
      : {}),
    attemptCount: row.attempt_count,
    attempts: attempts.map(toAttempt),
  };
}

/** One try of a webhook or a push as the wire shows it. */
function toAttempt({ at, status, error, ms }: Omit<Selectable<Schema['delivery_attempts']>, 'delivery_id' | 'number'>) {
  return { at: iso(at), ...(status === null ? {} : { status }), ...(error === null ? {} : { error }), ms };
}

/** What was pushed of one inquiry, by device, with the attempts of the last 7 days (DLV2). */
export async function readPushes(reader: Kysely<Schema>, inquiryId: string): Promise<Map<string, PushDelivery>> {
  // In one statement, since an attempt that ends meanwhile would contradict the state.
  const rows = await reader
    .selectFrom('pushes')
    .leftJoin('push_attempts as tried', (join) =>
      join.onRef('tried.subject_id', '=', 'pushes.subject_id').onRef('tried.device_id', '=', 'pushes.device_id'),
    )
    .selectAll('pushes')
    .select(['kind', 'at', 'status', 'error', 'ms'])
    .where('pushes.subject_id', '=', inquiryId)
    .orderBy('number')
    .execute();
  const toPush = (tries: typeof rows): PushDelivery => ({
    state: toState(tries[0]!),
    attempts: tries.flatMap(({ kind, at, ms, ...end }) =>
      at === null ? [] : { kind: kind as 'ask' | 'withdraw', ...toAttempt({ at, ms: ms ?? 0, ...end }) },
    ),
  });
  return new Map([...Map.groupBy(rows, (row) => row.device_id)].map(([id, tries]) => [id, toPush(tries)]));
}

function toState(row: Selectable<Schema['pushes']>): PushDelivery['state'] {
  if (row.due_at !== null) return 'pending';
  if (row.wanted === 'nothing') return 'dropped';
  if (row.sent === 'digest') return 'digest';
  if (row.sent !== row.wanted || row.accepted_at === null) return 'failed';
  return row.wanted === 'ask' ? 'sent' : 'withdrawn';
}
