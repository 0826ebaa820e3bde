import { sql, type SelectQueryBuilder, type Selectable } from 'kysely';
import { DAY_MS } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { deleteInParts, inParts } from '../platform/repeat.ts';
import type { Schema } from '../platform/schema.ts';
import { isPermanent } from '../platform/outbound/addresses.ts';
import type { Sent } from '../platform/outbound/post.ts';
import { noteFailed, noteWorked } from './failing.ts';
import { giveBack, lockQueues, PART, PENDING, QUEUED, updatePending } from './queues.ts';
import { NEWEST } from './read.ts';
import { backOff, INTERNAL_ERROR, unleased, type Failure, type Queue, type Tried } from './worker.ts';

export type WebhookRow = Selectable<Schema['deliveries']>;
export type WebhookOutcome = 'delivered' | 'gone' | 'again' | 'failed' | 'lost';

const REST_MS = 30_000;
const SLOW_MS = 2_000;
const SLOW = sql.lit(1);
const FIRST_MS = 5_000;
const LONGEST_MS = 3_600_000;

/** Nobody is left to be told. */
export const SOURCE_REVOKED = 'source revoked';

/** A platform that takes an answer as it comes is handed no approval that ended (APR1). */
export const APPROVAL_ENDED = 'approval ended';

/** The client that wanted to be told did not come back in time, or took its subscription back. */
export const SUBSCRIPTION_ENDED = 'subscription ended';

const ENDED = [SOURCE_REVOKED, APPROVAL_ENDED, SUBSCRIPTION_ENDED] as (string | undefined)[];
/** The window of a protocol's event is over, however long the hub was away. */
export const PAST = 'its time is over';

type Told = Pick<WebhookRow, 'protocol'> & Partial<Pick<WebhookRow, 'subscription_id'>>;
const OWN: Told = { protocol: null };

/**
 * What one attempt means for its webhook: 409 and 410 say that the endpoint does not want it any more (DLV1), but for an
 * event of the Agent Approval Protocol, where nothing but 2xx does, and one of MCP Events, where 410 and 413 do.
 */
export function toOutcome(
  { status, error, final }: Sent,
  { protocol, subscription_id = null }: Told = OWN,
): 'delivered' | 'gone' | 'again' | 'failed' {
  if (isPermanent(error) || error === PAST) return 'failed';
  if (final)
    return error === undefined && status !== undefined && status >= 200 && status < 300 ? 'delivered' : 'failed';
  if (ENDED.includes(error)) return 'gone';
  if (status === undefined || error !== undefined) return 'again';
  if (status >= 200 && status < 300) return 'delivered';
  const unwanted = subscription_id === null ? (protocol === null ? [409, 410] : []) : [410, 413];
  return unwanted.includes(status) ? 'gone' : 'again';
}

/**
 * How long an endpoint is left alone after this attempt, with all that its source has for it: 30 s after a time-out, and as
 * long as 429 and 503 say, at most an hour, or as long as a protocol's event is tried.
 */
export function restAfter({ status, error, retryAfterMs }: Sent, told: Told = OWN): number | undefined {
  if (error === 'timeout') return REST_MS;
  return (status === 429 || status === 503) && retryAfterMs ? Math.min(retryAfterMs, longestRest(told)) : undefined;
}

/**
 * When a webhook is tried next, after `tries` attempts without success: 5 s, 10 s, 20 s … at most an hour and not
 * before `retryAfterMs` (itself capped at an hour), the last at `giveUpAt`. Undefined: that instant has passed, or a
 * protocol's event is to rest beyond it.
 */
export function nextTry({ giveUpAt, retryAfterMs = 0, ...failure }: Failure, told: Told = OWN): number | undefined {
  const rest = Math.min(retryAfterMs, longestRest(told));
  if (failure.now >= giveUpAt || (told.protocol !== null && failure.now + rest > giveUpAt)) return undefined;
  const wait = { firstMs: FIRST_MS, longestMs: LONGEST_MS, retryAfterMs: rest };
  return Math.min(backOff({ ...failure, ...wait }), giveUpAt);
}

function longestRest(told: Told): number {
  return told.protocol === null ? LONGEST_MS : 7 * DAY_MS;
}

/**
 * Records one attempt and what follows from it, in one transaction. "lost": the lease ran out meanwhile and
 * the row is somebody else's; only a success is kept then.
 */
export function settle(
  database: Database,
  row: WebhookRow,
  queue: Queue & { rows: WebhookRow[]; slow: number },
  { sent, at, ms, chance, clock }: Tried,
): Promise<WebhookOutcome> {
  const restMs = restAfter(sent, row);
  const slow = Number(sent.error === 'timeout' || ms >= SLOW_MS);
  const moves = restMs !== undefined || slow !== queue.slow;
  return database.transaction(async (trx) => {
    const now = clock.now();
    // Before the webhook's own row, as everywhere.
    if (moves || queue.rows.length === 0) await lockQueues(trx, [row]);
    const toldOnly = row.subscription_id !== null;
    let outcome = toOutcome(sent, row);
    let dueAt: number | undefined;
    if (outcome === 'again') {
      const failure = { tries: (await countTries(trx, row)) + 1, now, giveUpAt: row.give_up_at, chance };
      dueAt = nextTry({ ...failure, retryAfterMs: sent.retryAfterMs }, row);
      if (dueAt === undefined) outcome = 'failed';
    }
    const updated = await trx
      .updateTable('deliveries')
      .set(({ eb }) => ({
        state: outcome === 'again' ? 'pending' : outcome,
        due_at: dueAt ?? null,
        claimed_until: null,
        queued: outcome === 'again' ? eb.ref('queued') : 0,
        attempt_count: eb('attempt_count', '+', 1),
      }))
      .where('id', '=', row.id)
      .where('state', '=', 'pending')
      .$if(outcome !== 'delivered', (rows) => rows.where('claimed_until', '=', queue.until))
      .returning('attempt_count as number')
      .executeTakeFirst();
    if (updated === undefined) {
      if (queue.rows.length === 0) await giveBack(trx, queue.key);
      return 'lost';
    }
    const attempt = { delivery_id: row.id, at, status: sent.status ?? null, error: sent.error ?? null, ms };
    await trx
      .insertInto('delivery_attempts')
      .values({ ...attempt, ...updated })
      .execute();
    // An event names the inquiry and holds no answer.
    if (outcome === 'delivered' && row.type === 'inquiry.resolved' && !toldOnly)
      await collect(trx, row.inquiry_id, now);
    if (moves) await moveQueue(trx, queue.key, { slow, restUntil: restMs === undefined ? null : now + restMs });
    if (queue.rows.length === 0) await giveBack(trx, queue.key);
    // Last, so that nobody waits for this row who holds one that this transaction still needs.
    if (outcome === 'delivered' || (outcome === 'gone' && sent.status !== undefined)) await noteWorked(trx, row, now);
    // A client hears of its endpoint when it subscribes anew; the owner never heard of it.
    else if (!toldOnly && outcome !== 'gone' && sent.error !== INTERNAL_ERROR) await noteFailed(trx, row, at);
    return outcome;
  });
}

/**
 * Attempts among the last 50 since the delivery was made or replayed: the back-off starts anew with each window it is given,
 * and is at its longest long before 50.
 */
async function countTries(trx: Transaction, row: WebhookRow): Promise<number> {
  const { count } = await trx
    .selectFrom('delivery_attempts')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('delivery_id', '=', row.id)
    .where('number', '>', row.attempt_count - NEWEST)
    .where('at', '>=', row.protocol === null ? row.give_up_at - DAY_MS : row.created_at)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The source has the resolution now; its next identical call is a new inquiry (ASK5), but for a framework's, which waits for its whole reply. */
async function collect(trx: Transaction, inquiryId: string, now: number): Promise<void> {
  await trx
    .updateTable('inquiries')
    .set({ collected_at: now })
    .where('id', '=', inquiryId)
    .where('collected_at', 'is', null)
    .where('kept', 'is', null)
    .where('ask_id', 'is', null)
    // No webhook carries the values of secret questions: only the source's own read collects those.
    .where('sealed', 'is', null)
    .execute();
}

/**
 * Moves a queue to the slow share when its endpoint hung, and back when it answered quickly. After a time-out it rests,
 * so that what waits in it does not cost a time-out each; also where its endpoint wants to be left alone.
 */
async function moveQueue(
  trx: Transaction,
  queue: string,
  { slow, restUntil }: { slow: number; restUntil: number | null },
): Promise<void> {
  await trx.updateTable('delivery_queues').set({ slow, rest_until: restUntil }).where('queue', '=', queue).execute();
}

/**
 * Gives up, a part at a time, what stands behind an endpoint that hangs or rests and is past its day: it was never its turn.
 * True: there may be more.
 */
export async function giveUpPast(database: Database, log: Log, now = database.clock.now()): Promise<boolean> {
  const past = database.read
    .selectFrom('deliveries')
    .select(['id', 'queue'])
    .where('queue', 'in', (db) =>
      db
        .selectFrom('delivery_queues')
        .select('queue')
        .where((queue) => queue.or([queue('slow', '=', SLOW), queue('rest_until', '>', now)])),
    )
    .where('state', '=', PENDING)
    .where('queued', '=', QUEUED)
    .where('give_up_at', '<', now)
    .where('due_at', 'is not', null)
    .where(unleased(now))
    .limit(PART);
  const given = await giveUp(database, past);
  if (given > 0)
    log.warn({ webhooks: given }, 'webhooks behind an endpoint that hangs or rests were given up after a day');
  return given === PART;
}

/** Gives up what was enqueued before an instant: after a restore, the endpoints heard it long ago. */
export async function giveUpOlder(database: Database, before: number): Promise<number> {
  const older = database.read
    .selectFrom('deliveries')
    .select(['id', 'queue'])
    .where('state', '=', PENDING)
    .where('created_at', '<', before)
    .limit(PART);
  return inParts(PART, () => giveUp(database, older));
}

async function giveUp(
  database: Database,
  some: SelectQueryBuilder<Schema, 'deliveries', { id: string; queue: string }>,
) {
  const found = await some.execute();
  if (found.length === 0) return 0;
  await database.transaction(async (trx) => {
    await lockQueues(trx, found);
    await updatePending(trx, found).set({ state: 'failed', due_at: null, claimed_until: null, queued: 0 }).execute();
  });
  return found.length;
}

/** Drops the attempts older than 7 days; the deliveries stay as long as their inquiry. */
export function sweepAttempts(database: Database, now = database.clock.now()): Promise<number> {
  return deleteInParts(database, 'delivery_attempts', ['delivery_id', 'number'], sql`at < ${now - 7 * DAY_MS}`);
}
