import { sql } from 'kysely';
import type { Database, Transaction } from '../platform/database.ts';
import { inParts } from '../platform/repeat.ts';
import { keys, readRows, statement } from '../platform/steps.ts';
import type { Claim } from './worker.ts';

/** Written out: a parameter could not use the index of what is pending. */
export const PENDING = sql.lit('pending');

/** How many webhooks are put into their queues, put off or given up in one transaction. */
export const PART = 500;
/** A queue that is due later than this after its first webhook was told of it by nobody. */
const LATE_MS = 60_000;
/** More than the nodes lease of one queue: the first of so many webhooks tell when it is due. */
const FIRST = 50;

/** Written out: a parameter could not use the index of what stands in its queue. */
export const QUEUED = sql.lit(1);

const REST = sql`coalesce(delivery_queues.rest_until, 0)`;

/**
 * Makes the queues of up to 500 new webhooks due; returns how many it found. Who enqueues writes no queue, so callers
 * of one source wait for nobody.
 */
export async function takeIn(database: Database): Promise<number> {
  const some = (reader: Pick<Transaction, 'selectFrom'>) =>
    reader
      .selectFrom('deliveries')
      .select(['id', 'queue', 'source_id', 'due_at'])
      .where('state', '=', PENDING)
      .where('queued', '=', sql.lit(0))
      .where('due_at', 'is not', null)
      .orderBy('id')
      .limit(PART);
  if ((await some(database.read).limit(1).executeTakeFirst()) === undefined) return 0;
  return database.transaction(async (trx) => {
    const rows = await some(trx).execute();
    await join(trx, rows);
    return rows.length;
  });
}

/**
 * Puts webhooks that stand in no queue into theirs, due when `rows` say. The queues come first and in order, so on
 * Postgres two nodes that do the same wait for one another; what ended or was put off meanwhile stays out.
 */
export async function join(
  trx: Transaction,
  rows: { id: string; queue: string; source_id: string; due_at: number | null }[],
): Promise<void> {
  if (rows.length === 0) return;
  const queues = [...Map.groupBy(rows, ({ queue }) => queue)].map(([queue, of]) => {
    // Its first word is whose queue it is: that of instances is their provisioner's.
    return { queue, source_id: queue.split(' ', 1)[0]!, due_at: Math.min(...of.map(({ due_at }) => due_at!)) };
  });
  await trx
    .insertInto('delivery_queues')
    .values(queues.toSorted((a, b) => (a.queue < b.queue ? -1 : 1)))
    .onConflict((conflict) =>
      conflict.column('queue').doUpdateSet({
        due_at: sql`case when delivery_queues.due_at <= excluded.due_at or delivery_queues.due_at <= ${REST}
          then delivery_queues.due_at when excluded.due_at > ${REST} then excluded.due_at else ${REST} end`,
      }),
    )
    .execute();
  await updatePending(trx, rows).set({ queued: QUEUED }).where('due_at', 'is not', null).execute();
}

/** The queue that is due longest, of no source that is at its limit: looking past those costs one search for each source. */
export async function firstDue({ read }: Database, { clock, slow, busy }: Claim): Promise<string | undefined> {
  const now = clock.now();
  const share = sql`delivery_queues where slow = ${sql.lit(Number(slow))}`;
  const free = busy.keys.length === 0 ? sql`` : sql`and queue not in (${sql.join(busy.keys)})`;
  const first = (column: string, source = sql``) =>
    sql<{
      found: string | null;
    }>`select ${sql.ref(column)} as found from ${share} ${source} and due_at <= ${now} ${free}
      order by due_at limit 1`;
  if (busy.groups.length === 0) return (await first('queue').execute(read)).rows[0]?.found ?? undefined;
  const waiting = sql<{ id: string }>`with recursive waiting (id) as (
      select min(source_id) from ${share}
      union all select (select min(source_id) from ${share} and source_id > waiting.id) from waiting where id is not null
    ), due (id, at) as (
      select id, (${first('due_at', sql`and source_id = waiting.id`)}) from waiting
      where id is not null and id not in (${sql.join(busy.groups)})
    ) select id from due where at is not null order by at limit 1`;
  const source = (await waiting.execute(read)).rows[0];
  if (source === undefined) return undefined;
  return (await first('queue', sql`and source_id = ${source.id}`).execute(read)).rows[0]?.found ?? undefined;
}

/** When the queue that is due next is, of both shares. */
export async function nextDue({ read }: Database, now: number): Promise<number | undefined> {
  const next = (slow: number) =>
    sql<number | null>`(select min(due_at) from delivery_queues where slow = ${sql.lit(slow)} and due_at > ${now})`;
  const isNew = sql`(select id from deliveries where state = ${PENDING} and queued = 0 and due_at is not null
    order by id limit 1)`;
  const { quick, slow, unknown } = await read
    .selectNoFrom([next(0).as('quick'), next(1).as('slow'), isNew.as('unknown')])
    .executeTakeFirstOrThrow();
  return unknown === null ? Math.min(Number(quick ?? Infinity), Number(slow ?? Infinity)) : now;
}

/**
 * Makes queues due that are due much later than their first webhook, or are no more although webhooks stand in them,
 * whatever the reason: an older node changes webhooks without their queue. Looks up one queue after the other, a part at a
 * time; returns how many it made due.
 */
export async function mendQueues(database: Database): Promise<number> {
  const standing = sql`from deliveries where state = ${PENDING} and queued = ${QUEUED}`;
  let after = '';
  let mended = 0;
  await inParts(PART, async () => {
    const now = database.clock.now();
    const { rows } = await sql<{ queue: string; source_id: string; late: number | null }>`
      with recursive queues (queue, number) as (
        select (select min(queue) ${standing} and queue > ${after}), 1
        union all select (select min(queue) ${standing} and queue > queues.queue), number + 1
        from queues where queue is not null and number < ${PART}
      ), firsts (queue, id) as (
        select queue, (select id ${standing} and queue = queues.queue and due_at <= ${now} order by due_at, id limit 1)
        from queues where queue is not null
      ) select queue, (select source_id from deliveries where id = firsts.id) as source_id,
        case when coalesce((select due_at from delivery_queues where delivery_queues.queue = firsts.queue), ${now + LATE_MS + 1})
          > ${now + LATE_MS} then 1 end as late
      from firsts order by queue`.execute(database.read);
    after = rows.at(-1)?.queue ?? after;
    const late = rows.filter((row) => row.late !== null && row.source_id !== null);
    if (late.length > 0)
      await database.transaction((trx) =>
        trx
          .insertInto('delivery_queues')
          .values(late.map(({ queue, source_id }) => ({ queue, source_id, due_at: now })))
          .onConflict((conflict) =>
            conflict
              .column('queue')
              .doUpdateSet({ due_at: now })
              .where('delivery_queues.due_at', '>', now + LATE_MS),
          )
          .execute(),
      );
    mended += late.length;
    return rows.length;
  });
  return mended;
}

/**
 * Nobody else changes the queues of these until the transaction ends. Lock them before any webhook that they know of: who
 * changes several webhooks of a queue holds it, so no two wait for each other's.
 */
export async function lockQueues(trx: Transaction, of: { queue: string }[]): Promise<void> {
  await readRows(trx, lock(keys(of.map(({ queue }) => queue))));
}

const lock = statement('select queue from delivery_queues where queue in {keys ?1} order by queue for update');

/** Of these webhooks those that are pending. */
export function updatePending(trx: Transaction, webhooks: { id: string }[]) {
  const ids = webhooks.map(({ id }) => id);
  return trx.updateTable('deliveries').where('id', 'in', ids).where('state', '=', PENDING);
}

/**
 * Makes a locked queue due when the first of its webhooks is that nobody holds, or when its rest ends; without any it
 * ends.
 */
export async function giveBack(trx: Transaction, queue: string): Promise<void> {
  const first = await trx
    .selectFrom('deliveries')
    .select(['due_at', 'claimed_until'])
    .where('queue', '=', queue)
    .where('state', '=', PENDING)
    .where('queued', '=', QUEUED)
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .orderBy('id')
    .limit(FIRST)
    .execute();
  if (first.length === 0) {
    await trx.deleteFrom('delivery_queues').where('queue', '=', queue).execute();
    return;
  }
  const due = first.map(({ due_at, claimed_until }) => Math.max(due_at!, claimed_until ?? 0));
  const dueAt = Math.min(...due);
  await trx
    .updateTable('delivery_queues')
    .set({ due_at: sql`case when ${REST} > ${dueAt} then ${REST} else cast(${dueAt} as bigint) end` })
    .where('queue', '=', queue)
    .execute();
}
