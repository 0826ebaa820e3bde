import { sql } from 'kysely';
import type { Database, Transaction } from '../../platform/database.ts';
import { inParts } from '../../platform/repeat.ts';
import { unleased, type Claim } from '../worker.ts';

/** How many pushes are looked at in one transaction. */
export const PART = 500;
/** A device that is due later than this after its first push was told of it by nobody. */
const LATE_MS = 60_000;

/** Its device does not know when it is due. Written as the index of these is. */
const NEW = sql<boolean>`due_at <> coalesce(known_due_at, 0)`;

/** The push services of devices that are due some time: one look-up for each. */
const HOSTS = sql`recursive hosts (host) as (
    select min(host) from subscriptions where due_at is not null
    union all select (select min(host) from subscriptions where due_at is not null and host > hosts.host)
    from hosts where hosts.host is not null
  )`;

/**
 * Makes the devices of up to 500 new or moved pushes due; returns how many it found. Who wants or moves a push writes no
 * device, so callers who ask the same people wait for nobody, and what a node of an older version writes is found too.
 */
export async function takeIn(database: Database): Promise<number> {
  const found = await database.read
    .selectFrom('pushes')
    .select('device_id')
    .where(NEW)
    .orderBy('device_id')
    .limit(PART)
    .execute();
  if (found.length === 0) return 0;
  const devices = [...new Set(found.map(({ device_id }) => device_id))].toSorted();
  const onPostgres = database.engine === 'postgres';
  return database.transaction(async (trx) => {
    const locked = trx.selectFrom('subscriptions').select('device_id').where('device_id', 'in', devices);
    if (onPostgres) await locked.orderBy('device_id').forUpdate().execute();
    // What somebody changes at this moment is new afterwards: waiting for it here could be in the way of a resolution.
    const rows = await trx
      .selectFrom('pushes')
      .select(['subject_id', 'device_id', sql<number>`due_at`.as('due_at')])
      .where('device_id', 'in', devices)
      .where(NEW)
      .orderBy('device_id')
      .limit(PART)
      .$if(onPostgres, (some) => some.forUpdate().skipLocked())
      .execute();
    if (rows.length === 0) return 0;
    const firsts = [...Map.groupBy(rows, ({ device_id }) => device_id)].map(
      ([id, of]) => sql`(cast(${id} as text), cast(${Math.min(...of.map(({ due_at }) => due_at))} as bigint))`,
    );
    await sql`with found (id, at) as (values ${sql.join(firsts)})
      update subscriptions set due_at = case when due_at <= found.at then due_at
        when rest_until > found.at then rest_until else found.at end
      from found where found.id = subscriptions.device_id and subscriptions.device_id in (${sql.join(devices)})`.execute(
      trx,
    );
    const pairs = rows.map((row) => sql`(cast(${row.subject_id} as text), cast(${row.device_id} as text))`);
    await trx
      .updateTable('pushes')
      .set(({ ref }) => ({ known_due_at: ref('due_at') }))
      .where(sql<boolean>`(subject_id, device_id) in (values ${sql.join(pairs)})`)
      .execute();
    return rows.length;
  });
}

/** The device that is due longest, of no push service that is at its limit: one search for each push service. */
export async function firstDue({ read }: Database, { clock, busy }: Claim) {
  const now = clock.now();
  const free = busy.keys.length === 0 ? sql`` : sql`and device_id not in (${sql.join(busy.keys)})`;
  const open = busy.groups.length === 0 ? sql`` : sql`and hosts.host not in (${sql.join(busy.groups)})`;
  const { rows } = await sql<{
    device_id: string;
    endpoint: string;
    p256dh: string;
    auth: string;
    host: string;
    person_id: string;
  }>`with ${HOSTS}, firsts (id) as materialized (
      select (select device_id from subscriptions where host = hosts.host and due_at <= ${now} and ${unleased(now)} ${free}
        order by due_at limit 1)
      from hosts where hosts.host is not null ${open}
    ) select device_id, endpoint, p256dh, auth, host,
      (select person_id from devices where devices.id = subscriptions.device_id) as person_id
    from subscriptions where device_id = (select id from firsts where id is not null
      order by (select due_at from subscriptions as first where first.device_id = firsts.id) limit 1)`.execute(read);
  return rows[0];
}

/** When the next device is to be looked at. */
export async function nextDue({ read }: Database, now: number): Promise<number | undefined> {
  const { rows } = await sql<{ next: number | null; unknown: string | null }>`with ${HOSTS} select
      (select min(at) from (select (select min(due_at) from subscriptions where host = hosts.host and due_at > ${now}) as at
        from hosts where host is not null) as firsts) as next,
      (select device_id from pushes where ${NEW} order by device_id limit 1) as unknown`.execute(read);
  const { next = null, unknown = null } = rows[0] ?? {};
  if (unknown !== null) return now;
  return next === null ? undefined : Number(next);
}

/**
 * Nobody else changes what this device knows until the transaction ends. Lock it before any of its pushes. Returns until
 * when it is leased, and where it is pushed to now.
 */
export async function lockDevice(
  trx: Transaction,
  engine: Database['engine'],
  deviceId: string,
): Promise<{ claimed_until: number | null; endpoint: string } | undefined> {
  const row = trx
    .selectFrom('subscriptions')
    .select(['claimed_until', 'endpoint'])
    .where('device_id', '=', deviceId)
    .$if(engine === 'postgres', (one) => one.forUpdate());
  return row.executeTakeFirst();
}

/** Makes a locked device due when the first of its pushes is, or when its rest ends. */
export async function giveBack(trx: Transaction, deviceId: string): Promise<void> {
  // Wanted once more for the same instant, they are new again.
  await trx
    .updateTable('pushes')
    .set({ known_due_at: null })
    .where('device_id', '=', deviceId)
    .where('due_at', 'is', null)
    .where('known_due_at', 'is not', null)
    .execute();
  const first = sql`(select due_at from pushes where device_id = ${deviceId} and due_at is not null order by due_at limit 1)`;
  await sql`update subscriptions set due_at = case when rest_until > ${first} then rest_until else ${first} end
    where device_id = ${deviceId}`.execute(trx);
}

/** Lets due pushes to devices without a subscription rest: nothing sends them. */
export function dropLost(database: Database, deviceId?: string): Promise<number> {
  const own = deviceId === undefined ? sql`` : sql`and device_id = ${deviceId}`;
  const lost = sql`update pushes set due_at = null where (subject_id, device_id) in (
    select subject_id, device_id from pushes
    where due_at is not null and device_id not in (select device_id from subscriptions) ${own} limit ${PART})`;
  return inParts(PART, async () => {
    const { numAffectedRows } = await database.transaction((trx) => lost.execute(trx));
    return Number(numAffectedRows);
  });
}

/** Has devices looked at that are due later than their first push, whatever the reason. Returns how many. */
export function lookAtLate(database: Database, now: number): Promise<number> {
  const late = sql<{ id: string }>`select device_id as id from subscriptions
    where (due_at is null or due_at > ${now + LATE_MS}) and (rest_until is null or rest_until <= ${now})
    and exists (select 1 from pushes where pushes.device_id = subscriptions.device_id
      and pushes.due_at < coalesce(subscriptions.due_at, pushes.due_at + 1)) limit ${PART}`;
  return inParts(PART, async () => {
    const ids = (await late.execute(database.read)).rows.map(({ id }) => id);
    if (ids.length > 0)
      await database.transaction((trx) =>
        trx.updateTable('subscriptions').set({ due_at: now }).where('device_id', 'in', ids).execute(),
      );
    return ids.length;
  });
}
