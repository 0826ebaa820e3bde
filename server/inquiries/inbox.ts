import { sql } from 'kysely';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Draft, Snapshot } from '#shared/live.ts';
import { iso } from '../platform/clock.ts';
import type { Inquiries } from './inquiries.ts';
import { deviceView, readOthers, readReach, selectInquiries, type InquiryRow, type Reader } from './store.ts';

/** Written out: a plan made once for every parameter could not use the index of what is open. */
const OPEN = sql.lit(1);

export type Viewer = { personId: string; deviceId: string };
export type Page = { items: Inquiry[]; nextCursor?: string };

/**
 * What is open for a person, for one device: the `limit` newest, their drafts and the person's
 * version. The version is read first, so that a change in between is told again and never missed (LIV1).
 */
export async function readSnapshot({ database }: Inquiries, viewer: Viewer, limit = 200): Promise<Snapshot> {
  const { read, clock } = database;
  const version = (await versionsOf(read, [viewer.personId])).get(viewer.personId) ?? 0;
  const { items, nextCursor } = await readOpen(read, viewer, { limit, now: clock.now() });
  const drafts = await readDrafts(
    read,
    viewer,
    items.map(({ id }) => id),
  );
  return { version, serverTime: iso(clock.now()), inquiries: items, more: nextCursor !== undefined, drafts };
}

/** The counters of these people. */
export async function versionsOf(reader: Reader, personIds: string[]): Promise<Map<string, number>> {
  if (personIds.length === 0) return new Map();
  const rows = await reader.selectFrom('people').select(['id', 'version']).where('id', 'in', personIds).execute();
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** Open inquiries of a person, newest first. */
export async function readOpen(
  read: Reader,
  viewer: Viewer,
  { limit, cursor, now }: { limit: number; cursor?: string | undefined; now: number },
): Promise<Page> {
  let query = selectInquiries(read)
    .innerJoin('recipients', 'recipients.inquiry_id', 'inquiries.id')
    .where('recipients.person_id', '=', viewer.personId)
    .where('recipients.open', '=', OPEN)
    .where('inquiries.deadline_at', '>', now)
    .orderBy('inquiries.id', 'desc');
  if (cursor !== undefined) query = query.where('inquiries.id', '<', cursor);
  const rows = await query.limit(limit + 1).execute();
  return page(await viewsOf(read, rows.slice(0, limit), viewer), rows.length > limit);
}

/** Inquiries as this device sees them. */
export async function viewsOf(read: Reader, rows: InquiryRow[], viewer: Viewer): Promise<Inquiry[]> {
  const ids = rows.map(({ id }) => id);
  const resolved = rows.filter(({ resolution }) => resolution !== null).map(({ id }) => id);
  const [reach, dismissed, late, lost] = [
    await readReach(read, ids),
    await readDismissed(read, ids, viewer.deviceId),
    await readOthers(read, resolved, 'late'),
    await readOthers(read, resolved, 'lost'),
  ];
  return rows.map((row) =>
    deviceView(row, {
      reach: reach(row.id),
      dismissed: dismissed.has(row.id),
      late: late.get(row.id),
      lost: lost.get(row.id),
    }),
  );
}

async function readDismissed(read: Reader, inquiryIds: string[], deviceId: string): Promise<Set<string>> {
  if (inquiryIds.length === 0) return new Set();
  const rows = await read
    .selectFrom('tellings')
    .select('inquiry_id')
    .where('device_id', '=', deviceId)
    .where('inquiry_id', 'in', inquiryIds)
    .where('dismissed_at', 'is not', null)
    .execute();
  return new Set(rows.map((row) => row.inquiry_id));
}

async function readDrafts(read: Reader, { personId }: Viewer, inquiryIds: string[]): Promise<Draft[]> {
  if (inquiryIds.length === 0) return [];
  const rows = await read
    .selectFrom('drafts')
    .innerJoin('devices', 'devices.id', 'drafts.device_id')
    .innerJoin('people', 'people.id', 'drafts.person_id')
    .select([
      'drafts.inquiry_id',
      'drafts.person_id',
      'drafts.answer',
      'drafts.at',
      'devices.id as device_id',
      'devices.name as device_name',
      'people.handle',
    ])
    .where('drafts.inquiry_id', 'in', inquiryIds)
    .execute();
  return rows.map((row) => ({
    inquiryId: row.inquiry_id,
    device: { id: row.device_id, name: row.device_name },
    handle: row.handle,
    at: iso(row.at),
    // The words only to the same person's devices.
    ...(row.person_id === personId ? { answer: JSON.parse(row.answer) } : {}),
  }));
}

function page(items: Inquiry[], more: boolean): Page {
  const last = items.at(-1);
  return more && last ? { items, nextCursor: last.id } : { items };
}
