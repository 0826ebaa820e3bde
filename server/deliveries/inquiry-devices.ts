import { sql, type Kysely } from 'kysely';
import { idPattern } from '#shared/ids.ts';
import type { Reach } from '#shared/inquiry.ts';
import type { DeviceDelivery } from '#shared/schemas/deliveries.ts';
import { iso } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { Schema } from '../platform/schema.ts';
import { readRows, statement, type Statement } from '../platform/steps.ts';
import { readPushes } from './read.ts';

/** Something a device did with an inquiry, at an instant (ms). */
export type Mark = {
  inquiryId: string;
  deviceId: string;
  kind: 'accepted' | 'shown' | 'opened' | 'dismissed';
  at: number;
};

const INQUIRY = idPattern('inq');
const FLUSH_MS = 250;
const FLUSH_AT = 200;

const insertDevices = statement<{ told_at: number | null }>(
  `insert into inquiry_devices (inquiry_id, device_id, told_at)
  select cast(?1 as text), id, case when live_until > cast(?3 as bigint)
    or cast(?4 as integer) = 0 and exists (select 1 from subscriptions where subscriptions.device_id = devices.id and trouble is null) then cast(?3 as bigint) end
  from devices where person_id in {keys ?2} and revoked_at is null and expires_at > cast(?3 as bigint)
  on conflict do nothing returning told_at`,
);

/** One row for each signed-in device of these people, told at `now` if a page of it is connected or, unless `quiet`, it takes pushes. */
export function addDevices(
  inquiryId: string,
  personIds: string[],
  now: number,
  quiet = false,
): Statement<{ told_at: number | null }> {
  return insertDevices(inquiryId, personIds, now, quiet ? 1 : 0);
}

/** Where nobody was told. */
export const NOBODY: Reach = { told: 0, accepted: 0, shown: 0, opened: 0 };

type ReachRow = Reach & { inquiry_id: string };
const countReach = statement<ReachRow>(
  `select inquiry_id, count(told_at) as told, count(accepted_at) as accepted, count(shown_at) as shown,
  count(opened_at) as opened from inquiry_devices where inquiry_id in {keys ?1} group by inquiry_id`,
);

/** What reads how many devices were told of each inquiry, acknowledged it, showed and opened it; no row: nobody to tell. */
export function reachOf(...inquiryIds: string[]): Statement<ReachRow> {
  return countReach(inquiryIds);
}

/** How far the telling of an inquiry came, of its row. */
export function toReach(row: ReachRow | undefined): Reach {
  if (!row) return NOBODY;
  const { inquiry_id: _id, ...reach } = row;
  return reach;
}

/** How far the telling of these inquiries came. */
export async function readReach(reader: Kysely<Schema>, inquiryIds: string[]): Promise<(inquiryId: string) => Reach> {
  const found = inquiryIds.length > 0 ? await readRows(reader, reachOf(...inquiryIds)) : [];
  const rows = new Map(found.map((row) => [row.inquiry_id, row]));
  return (inquiryId) => toReach(rows.get(inquiryId));
}

/**
 * Writes marks in one transaction. The first instant stays; opened and dismissed imply shown, shown implies
 * accepted, accepted implies told. A mark counts only if its device's person was asked.
 */
export async function mark(database: Database, marks: Mark[]): Promise<void> {
  const rows = merge(marks);
  if (rows.length === 0) return;
  const values = sql.join(
    rows.map(
      (row) =>
        sql`(cast(${row.inquiryId} as text), cast(${row.deviceId} as text), ${instant(row.accepted)}, ${instant(row.shown)}, ${instant(row.opened)}, ${instant(row.dismissed)})`,
    ),
  );
  await database.transaction(async (trx) => {
    await sql`
      with marks (inquiry_id, device_id, accepted_at, shown_at, opened_at, dismissed_at) as (values ${values})
      insert into inquiry_devices (inquiry_id, device_id, told_at, accepted_at, shown_at, opened_at, dismissed_at)
      select marks.inquiry_id, marks.device_id, marks.accepted_at, marks.accepted_at, marks.shown_at, marks.opened_at, marks.dismissed_at
      from marks
      join devices on devices.id = marks.device_id
      join recipients on recipients.inquiry_id = marks.inquiry_id and recipients.person_id = devices.person_id
      where true
      on conflict (inquiry_id, device_id) do update set
        told_at = coalesce(inquiry_devices.told_at, excluded.told_at),
        accepted_at = coalesce(inquiry_devices.accepted_at, excluded.accepted_at),
        shown_at = coalesce(inquiry_devices.shown_at, excluded.shown_at),
        opened_at = coalesce(inquiry_devices.opened_at, excluded.opened_at),
        dismissed_at = coalesce(inquiry_devices.dismissed_at, excluded.dismissed_at)
    `.execute(trx);
    await dropShown(
      trx,
      rows.filter(({ shown }) => shown !== null).map(({ inquiryId, deviceId }) => ({ subjectId: inquiryId, deviceId })),
    );
  });
}

/** Drops the pushes that were not sent yet to devices whose page showed what they are of. */
export async function dropShown(trx: Transaction, marks: { subjectId: string; deviceId: string }[]): Promise<void> {
  if (marks.length === 0) return;
  const pairs = sql.join(
    marks.map(({ subjectId, deviceId }) => sql`(cast(${subjectId} as text), cast(${deviceId} as text))`),
  );
  await trx
    .updateTable('pushes')
    .set({ wanted: 'nothing', due_at: null })
    .where('wanted', '=', 'ask')
    .where('sent', 'is', null)
    .where(sql<boolean>`(subject_id, device_id) in (values ${pairs})`)
    .execute();
}

export type Marker = ReturnType<typeof createMarker>;

/** Collects marks and writes them every 250 ms or 200 marks. They are statistics: a crash may lose the last ones. */
export function createMarker({ database, log }: { database: Database; log?: Log }) {
  let waiting: Mark[] = [];
  let writing = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const marks = waiting;
    waiting = [];
    if (marks.length > 0) {
      writing = writing
        .then(() => mark(database, marks))
        .catch((error: unknown) =>
          log?.warn({ err: error, marks: marks.length }, 'what devices showed could not be written'),
        );
    }
    return writing;
  }

  return {
    add(one: Mark): void {
      waiting.push(one);
      if (waiting.length >= FLUSH_AT) void flush();
      else timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
    },
    /** Resolves when everything added so far is written. */
    flush,
    stop: flush,
  };
}

/** Which devices were to be told of an inquiry and how far each came, oldest device first (DLV2). */
export async function deviceDeliveries(reader: Kysely<Schema>, inquiryId: string): Promise<DeviceDelivery[]> {
  const rows = await reader
    .selectFrom('inquiry_devices')
    .innerJoin('devices', 'devices.id', 'inquiry_devices.device_id')
    .innerJoin('people', 'people.id', 'devices.person_id')
    .selectAll('inquiry_devices')
    .select(['devices.name', 'people.handle'])
    .where('inquiry_id', '=', inquiryId)
    .orderBy('device_id')
    .execute();
  const pushes = await readPushes(reader, inquiryId);
  return rows.map((row) => ({
    device: { id: row.device_id, name: row.name },
    person: row.handle,
    ...(row.told_at === null ? {} : { toldAt: iso(row.told_at) }),
    ...(row.accepted_at === null ? {} : { acceptedAt: iso(row.accepted_at) }),
    ...(row.shown_at === null ? {} : { shownAt: iso(row.shown_at) }),
    ...(row.opened_at === null ? {} : { openedAt: iso(row.opened_at) }),
    ...(row.dismissed_at === null ? {} : { dismissedAt: iso(row.dismissed_at) }),
    ...(pushes.has(row.device_id) ? { push: pushes.get(row.device_id) } : {}),
  }));
}

/** One row for each device and inquiry, sorted so that two nodes never wait for each other's rows. */
function merge(marks: Mark[]) {
  // What came from a device may hold characters that Postgres refuses, and that would cost the whole batch.
  const known = marks.filter(({ inquiryId }) => INQUIRY.test(inquiryId));
  const grouped = Map.groupBy(known, ({ inquiryId, deviceId }) => `${inquiryId} ${deviceId}`);
  return [...grouped]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, own]) => {
      const [inquiryId = '', deviceId = ''] = key.split(' ');
      const earliest = (...kinds: Mark['kind'][]): number | null => {
        const instants = own.filter(({ kind }) => kinds.includes(kind)).map(({ at }) => at);
        return instants.length === 0 ? null : Math.min(...instants);
      };
      return {
        inquiryId,
        deviceId,
        accepted: earliest('accepted', 'shown', 'opened', 'dismissed'),
        shown: earliest('shown', 'opened', 'dismissed'),
        opened: earliest('opened'),
        dismissed: earliest('dismissed'),
      };
    });
}

// Postgres takes a bare parameter of a select list for text.
function instant(at: number | null) {
  return sql`cast(${at} as bigint)`;
}
