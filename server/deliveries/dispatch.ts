import type { Resolution } from '#shared/answer.ts';
import { toUuid } from '#shared/ids.ts';
import { hasEnded } from '#shared/validity.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { Sent } from '../platform/outbound/post.ts';
import { signWebhook } from '../platform/secrets/webhook-key.ts';
import { inSpan } from '../platform/trace.ts';
import { PAUSED, putOff } from './pause.ts';
import { firstDue, giveBack, lockQueues, nextDue, PENDING, QUEUED, takeIn } from './queues.ts';
import {
  APPROVAL_ENDED,
  PAST,
  restAfter,
  settle,
  SOURCE_REVOKED,
  SUBSCRIPTION_ENDED,
  type WebhookRow,
} from './settle.ts';
import { signedHeaders } from '../platform/secrets/signed.ts';
import {
  createWorker,
  LEASE_MS,
  unleased,
  type Channel,
  type Claim,
  type PostOnce,
  type Queue,
  type Request,
  type Worker,
  type WorkerOptions,
} from './worker.ts';

/** What one source sends to one host: a node sends it in order, one at a time; another node may send what comes after. */
type WebhookQueue = Queue & { rows: WebhookRow[]; slow: number };

const BATCH = 20;
/** No source takes all of a share: hosts that one source chose cannot delay another source. */
const toShares = (connections: number) => [
  { slow: false, queues: connections, ofOneGroup: Math.ceil(connections / 4) },
  { slow: true, queues: Math.ceil(connections / 8), ofOneGroup: Math.ceil(connections / 32) },
];

/** The headers of the owner's for this address, of what is stored of a connection. */
export type OwnHeaders = (sealed: string, url: string) => Record<string, string>;

/** An inquiry whose answer was refused with 409 or 410. */
export type NotTaken = (inquiryId: string) => Promise<void>;

/** Takes an answer to the thread of a LangGraph Server that asked; ends within 12 s. */
export type Resume = (row: WebhookRow) => Promise<Sent>;

/** Tells an issuer how its authentication request ended, at most once; `isRemoved`: the owner removed its source. */
export type TellIssuer = (row: OfIssuer, post: PostOnce, at: number) => Promise<Sent>;
type OfIssuer = WebhookRow & { issuer: string; isRemoved: boolean };

/** How an event is sent to whoever subscribed to it; undefined: its subscription has ended. */
export type ToSubscriber = (row: WebhookRow, at: number) => Promise<Pick<Request, 'headers' | 'trust'> | undefined>;

type Connected = {
  ownHeaders?: OwnHeaders;
  notTaken?: NotTaken;
  resume?: Resume;
  toSubscriber?: ToSubscriber;
  tellIssuer?: TellIssuer;
  /** What signs webhooks beside the secret of their source. */
  sealingKey?: () => Buffer;
};

/** Sends the webhooks that are due, signed and with back-off (DLV1). */
export function createDispatcher(options: WorkerOptions & Connected): Worker {
  const { database, log, counter, connections = 128, notTaken } = options;
  const channel: Channel<WebhookQueue, WebhookRow> = {
    name: 'webhook',
    shares: toShares(connections),
    claim: (turn) => claimQueue(database, turn),
    nextDue: (now) => nextDue(database, now),
    take: async ({ rows }) => rows[0],
    send: (_queue, row, post, at) => send(database, row, post, at, options),
    async settle(queue, row, tried) {
      // The hub stops: the row is given back, uncounted.
      if (tried.sent.error === 'stopped') return false;
      if (tried.sent.error === PAUSED) {
        await putOff(database, row);
        return false;
      }
      queue.rows.shift();
      const outcome = await settle(database, row, queue, tried);
      counter?.inc({ outcome });
      if (outcome === 'gone' && tried.sent.status !== undefined)
        notTaken?.(row.inquiry_id).catch((error: unknown) => log.warn({ err: error }, 'devices could not be told'));
      if (outcome === 'delivered')
        log.info({ inquiry: row.inquiry_id, delivery: row.id, type: row.type }, 'a webhook was delivered');
      if (outcome === 'failed') log.warn({ delivery: row.id, ...tried.sent }, 'a webhook was given up');
      return restAfter(tried.sent, row) === undefined;
    },
    release: (queue) => release(database, queue),
  };
  return createWorker(channel, options);
}

/** Leases the longest due webhooks of one queue. A claimer that died loses them when the lease runs out. */
export async function claimQueue(database: Database, turn: Claim): Promise<WebhookQueue | undefined> {
  await takeIn(database);
  for (let { busy } = turn; ;) {
    const key = await firstDue(database, { ...turn, busy });
    if (key === undefined) return undefined;
    const claimed = await database.transaction((trx) => lease(trx, key, turn));
    if (claimed !== undefined) return claimed;
    // Another node was quicker, or nothing is left of it: it is not due now.
    busy = { ...busy, keys: [...busy.keys, key] };
  }
}

async function lease(
  trx: Transaction,
  key: string,
  { clock }: Pick<Claim, 'clock'>,
): Promise<WebhookQueue | undefined> {
  const now = clock.now();
  const until = now + LEASE_MS;
  const queue = await trx
    .updateTable('delivery_queues')
    .set({ due_at: until })
    .where('queue', '=', key)
    .where('due_at', '<=', now)
    .returning(['source_id as group', 'slow'])
    .executeTakeFirst();
  if (queue === undefined) return undefined;
  const due = trx
    .selectFrom('deliveries')
    .select('id')
    .where('queue', '=', key)
    .where('state', '=', PENDING)
    .where('queued', '=', QUEUED)
    .where('due_at', '<=', now)
    .where(unleased(now))
    .orderBy('due_at')
    .orderBy('id')
    .limit(BATCH);
  const rows = await trx
    .updateTable('deliveries')
    .set({ claimed_until: until })
    .where('id', 'in', due)
    .where('state', '=', PENDING)
    .where(unleased(now))
    .returningAll()
    .execute();
  if (rows.length === 0) {
    await giveBack(trx, key);
    return undefined;
  }
  rows.sort((a, b) => a.due_at! - b.due_at! || (a.id < b.id ? -1 : 1));
  return { ...queue, key, until, rows };
}

async function release(database: Database, { key, rows, until }: WebhookQueue): Promise<void> {
  const ids = rows.map(({ id }) => id);
  await database.transaction(async (trx) => {
    await lockQueues(trx, [{ queue: key }]);
    if (ids.length > 0)
      await trx
        .updateTable('deliveries')
        .set({ claimed_until: null })
        .where('id', 'in', ids)
        .where('claimed_until', '=', until)
        .execute();
    await giveBack(trx, key);
  });
}

/** Whether what was approved may not run any more: the platforms behind connections know of no end. */
async function approvalHasEnded({ read }: Database, { inquiry_id }: WebhookRow, now: number): Promise<boolean> {
  const row = await read.selectFrom('inquiries').select('resolution').where('id', '=', inquiry_id).executeTakeFirst();
  return hasEnded({ resolution: JSON.parse(row?.resolution ?? 'null') as Resolution | undefined }, now);
}

/** One request, signed for this moment as Standard Webhooks 1.0 says; the id stays the same for every attempt. */
async function send(
  database: Database,
  row: WebhookRow,
  post: PostOnce,
  at: number,
  { ownHeaders = () => ({}), resume, toSubscriber, tellIssuer, sealingKey }: Connected,
): Promise<Sent> {
  const source = await database.read
    .selectFrom('sources')
    .leftJoin('connections', 'connections.source_id', 'sources.id')
    .leftJoin('inquiries', (join) => join.on('inquiries.id', '=', row.inquiry_id))
    .select([
      'webhook_secret',
      'revoked_at',
      'webhooks_paused_at',
      'connections.kind',
      'connections.sealed',
      'trace',
      'issuer',
    ])
    .where('sources.id', '=', row.source_id)
    .executeTakeFirstOrThrow();
  const { issuer } = source;
  const isRemoved = source.revoked_at !== null;
  // An issuer whose client waits is told that nobody said yes.
  if (isRemoved && issuer === null) return { error: SOURCE_REVOKED };
  if (source.webhooks_paused_at !== null && !isRemoved) return { error: PAUSED };
  if (row.protocol !== null && at > row.give_up_at) return { error: PAST };
  if (source.kind !== null && (await approvalHasEnded(database, row, at))) return { error: APPROVAL_ENDED };
  const span = {
    name: 'webhook',
    calls: true as const,
    about: { 'beckon.delivery': row.id, 'beckon.inquiry': row.inquiry_id ?? undefined, 'beckon.type': row.type },
    after: ({ status, error }: Sent) => ({ 'http.response.status_code': status, 'error.type': error }),
  };
  const id = row.protocol === null ? row.id : toUuid(row.id);
  const work = async (): Promise<Sent> => {
    if (row.subscription_id !== null) {
      const how = await toSubscriber?.(row, at);
      return how ? post({ url: row.url, body: row.body, ...how }) : { error: SUBSCRIPTION_ENDED };
    }
    if (issuer !== null && tellIssuer) return tellIssuer({ ...row, issuer, isRemoved }, post, at);
    if (source.kind === 'langgraph' && resume) return resume(row);
    const signed = signedHeaders({ id, at, body: row.body, secrets: [source.webhook_secret] });
    const timestamp = signed['webhook-timestamp'];
    // A protocol's receivers were promised one signature.
    if (sealingKey && row.protocol === null)
      signed['webhook-signature'] += ` ${signWebhook(sealingKey(), row.source_id, { ...row, timestamp })}`;
    // What an ask brought is not of the owner's, whose headers go nowhere else.
    const own = source.sealed === null || row.typed_by_owner === 0 ? {} : ownHeaders(source.sealed, row.url);
    const headers = { ...own, ...signed };
    return post({ url: row.url, headers, body: row.body, trust: row.typed_by_owner === 1 ? 'owner' : 'untrusted' });
  };
  return inSpan(span, work, source);
}
