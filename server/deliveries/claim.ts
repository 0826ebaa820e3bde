import { sql, type Selectable } from 'kysely';
import type { Database } from '../platform/database.ts';
import type { DeliveriesTable } from '../platform/schema.ts';

export const LEASE_MS = 30_000;
const BATCH = 20;
/** Written out: a plan made once for every parameter could not use the index of what is pending. */
const PENDING = sql.lit('pending');

/** What one source sends to one host: a node sends it in order, one at a time; another node may send what comes after. */
export type Lane = { sourceId: string; queue: string };
export type Claimed = { lane: Lane; until: number; rows: Selectable<DeliveriesTable>[] };

/** The key of a delivery's queue; an address that cannot be read is a queue of its own. */
export function queueOf(sourceId: string, url: string): string {
  return `${sourceId} ${URL.canParse(url) ? new URL(url).origin : url}`;
}

/**
 * Leases the longest due deliveries of one lane for 30 s, or finds none. Every row goes to one claimer
 * only, whatever races; a claimer that died loses its rows when the lease runs out.
 */
export function claim(
  database: Database,
  now: number,
  busy: { lanes: Lane[]; sources: string[] },
): Promise<Claimed | undefined> {
  return database.transaction(async (trx) => {
    const due = () => {
      const rows = trx
        .selectFrom('deliveries')
        .selectAll()
        .where('state', '=', PENDING)
        .where('due_at', '<=', now)
        .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', now)]))
        .orderBy('due_at')
        .orderBy('id');
      return database.engine === 'postgres' ? rows.forUpdate().skipLocked() : rows;
    };
    const head = await due()
      .$if(busy.sources.length > 0, (rows) => rows.where('source_id', 'not in', busy.sources))
      .$if(busy.lanes.length > 0, (rows) =>
        rows.where(
          'queue',
          'not in',
          busy.lanes.map(({ queue }) => queue),
        ),
      )
      .limit(1)
      .executeTakeFirst();
    if (head === undefined) return undefined;
    const lane = { sourceId: head.source_id, queue: head.queue };
    const rows = await due().where('queue', '=', lane.queue).limit(BATCH).execute();
    const until = now + LEASE_MS;
    await trx
      .updateTable('deliveries')
      .set({ claimed_until: until })
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .execute();
    return { lane, until, rows };
  });
}

/** Gives rows back that were claimed and not tried. */
export async function release(database: Database, ids: string[], until: number): Promise<void> {
  if (ids.length === 0) return;
  await database.transaction((trx) =>
    trx
      .updateTable('deliveries')
      .set({ claimed_until: null })
      .where('id', 'in', ids)
      .where('claimed_until', '=', until)
      .execute(),
  );
}

/** When the earliest pending delivery can be claimed next. */
export async function nextDue(database: Database): Promise<number | undefined> {
  const row = await database.read
    .selectFrom('deliveries')
    .select(sql<number | null>`min(case when claimed_until > due_at then claimed_until else due_at end)`.as('at'))
    .where('state', '=', PENDING)
    .executeTakeFirst();
  return row?.at === null || row?.at === undefined ? undefined : Number(row.at);
}
