import { sql } from 'kysely';
import type { Resolution } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Snapshot } from '#shared/live.ts';
import { iso } from '../platform/clock.ts';
import { nextInLine, takePortion, sumBytes, takingTurns, type Turn } from '../platform/loop.ts';
import { refusedCredential } from '../platform/http/access.ts';
import type { Page } from '../platform/http/params.ts';
import { keys, readRows, statement } from '../platform/steps.ts';
import { readInTurn, takeTurn } from '../platform/turns.ts';
import { readNotTaken } from '../deliveries/read.ts';
import { reachOf, readReach, toReach } from '../deliveries/inquiry-devices.ts';
import type { Viewer } from './answerer.ts';
import type { Inquiries } from './inquiries.ts';
import { readLater } from './later.ts';
import { openSecrets } from './seal.ts';
import { readStoredExact, viewUndamaged } from '../platform/stored.ts';
import { toDraft, readDrafts } from './draft.ts';
import {
  askedBySource,
  inquiryBytes,
  deviceView,
  earlierTo,
  pickEarlier,
  findInquiries,
  readInquiries,
  readOthers,
  sourceView,
  unknownInquiry,
  type InquiryRow,
  type Reader,
} from './store.ts';

/**
 * The inquiry as its source reads it: with the sealing key secret answers included, until ten minutes after it had them.
 * Throws 401 once the source is revoked, so that a call which waits is told nothing any more.
 */
export async function readForSource(
  { database, sealingKey }: Pick<Inquiries, 'database'> & Partial<Pick<Inquiries, 'sealingKey'>>,
  inquiryId: string,
  sourceId: string,
): Promise<Inquiry> {
  const [[row], [reached]] = await readInTurn(() =>
    database.rows(askedBySource(inquiryId, sourceId), reachOf(inquiryId)),
  );
  if (!row) return unknownInquiry();
  if (row.source_revoked_at !== null) throw refusedCredential('unknown');
  const reach = toReach(reached);
  if (row.resolution === null) return sourceView(row, { reach });
  const late = row.late_count > 0 ? (await readOthers(database.read, [inquiryId], 'late')).get(inquiryId) : undefined;
  return sourceView(row, { reach, late, resolution: withSecrets(row, sealingKey) });
}

export type SourceListing = {
  state?: 'open' | 'resolved' | NonNullable<Resolution['outcome']> | undefined;
  cursor?: string | undefined;
  limit: number;
};

/** A source's own inquiries, newest first; secret answers stay sealed here. */
export async function listForSource(
  read: Reader,
  sourceId: string,
  { state, cursor, limit }: SourceListing,
  turn: Turn = takingTurns(),
): Promise<Page<Inquiry>> {
  let query = findInquiries(read).where('inquiries.source_id', '=', sourceId).orderBy('inquiries.id', 'desc');
  // By what is open: in the order of the source's index it would pass all that is resolved.
  if (state === 'open')
    query = query.where('inquiries.id', 'in', (eb) =>
      eb.selectFrom('inquiries').select('id').where('source_id', '=', sourceId).where('resolution', 'is', null),
    );
  else if (state === 'resolved') query = query.where('inquiries.resolution', 'is not', null);
  else if (state) query = query.where('inquiries.outcome', '=', state);
  if (cursor !== undefined) query = query.where('inquiries.id', '<', cursor);
  const [shown, next] = await readPage(read, query, limit);
  const ids = shown.map(({ id }) => id);
  const reach = await readReach(read, ids);
  const late = await readOthers(read, ids, 'late');
  const view = (row: InquiryRow) => sourceView(row, { reach: reach(row.id), late: late.get(row.id) });
  return { items: await seenBy(shown, view, turn), ...next };
}

/** A page of what is selected, in portions: it may hold fewer than `limit` and still say where the next one begins. */
async function readPage(
  read: Reader,
  query: ReturnType<typeof findInquiries>,
  limit: number,
): Promise<[InquiryRow[], { nextCursor?: string }]> {
  const found = await query
    .select(['inquiries.id', inquiryBytes.as('bytes')])
    .limit(limit + 1)
    .execute();
  const portion = takePortion(found.slice(0, limit));
  await takeTurn(sumBytes(portion));
  const ids = portion.map(({ id }) => id);
  const last = ids.at(-1);
  return [await readInquiries(read, ids), ids.length < found.length && last !== undefined ? { nextCursor: last } : {}];
}

function withSecrets(row: InquiryRow, key: Buffer | undefined): Resolution {
  const resolution = readStoredExact(row.resolution ?? '') as Resolution;
  if (row.sealed === null || !resolution.answer || !key) return resolution;
  return { ...resolution, answer: openSecrets(resolution.answer, row.sealed, key) };
}

/** Written out: a plan made once for every parameter could not use the index of what is open. */
const OPEN = sql.lit(1);

/** What is open for a person, for one device: the `limit` newest, their drafts and the person's version. */
export async function readSnapshot(
  inquiries: Pick<Inquiries, 'database' | 'settling'>,
  viewer: Viewer,
  limit = 200,
): Promise<Snapshot> {
  return (await readSnapshots(inquiries, [viewer], limit))[0]!;
}

/**
 * The same for several devices: what they have in common is read once. Each version is read before what it counts, so
 * that a change in between is told again and never missed (LIV1).
 */
export async function readSnapshots(
  { database: { read, clock }, settling }: Pick<Inquiries, 'database' | 'settling'>,
  viewers: Viewer[],
  limit = 200,
): Promise<Snapshot[]> {
  const personIds = [...new Set(viewers.map(({ personId }) => personId))];
  const { rows: people } = await sql<{ id: string; version: number; open: number }>`select id, version,
    (select count(*) from recipients where person_id = people.id and open = 1) as open
    from people where id in (select key from json_each(${keys(personIds)}))`.execute(read);
  const versions = new Map(people.map(({ id, version }) => [id, version]));
  const counts = new Map(people.map(({ id, open }) => [id, Number(open)]));
  const snapshots: Snapshot[] = [];
  while (snapshots.length < viewers.length) {
    if (snapshots.length > 0) await nextInLine();
    const now = clock.now();
    const viewed = takeFirst(viewers.slice(snapshots.length), counts, limit);
    const { some, readFor } = await readOpenOfAll(read, viewed, { limit, now });
    const shown = await settling.shown(read, [...new Set(some.map(({ personId }) => personId))]);
    for (const viewer of some) {
      const version = versions.get(viewer.personId) ?? 0;
      const own = await readFor(viewer);
      snapshots.push({ version, serverTime: iso(now), ...own, ...shown.get(viewer.personId) });
    }
  }
  return snapshots;
}

/** As many of them as have `limit` inquiries open in all, and at least one: so much is read in one turn of the event loop. */
function takeFirst(viewers: Viewer[], counts: Map<string, number>, limit: number): Viewer[] {
  let sum = 0;
  const end = viewers.findIndex(({ personId }) => (sum += counts.get(personId) ?? 0) > limit);
  return end < 0 ? viewers : viewers.slice(0, Math.max(end, 1));
}

async function readOpenOfAll(read: Reader, viewers: Viewer[], { limit, now }: { limit: number; now: number }) {
  const everybody = [...new Set(viewers.map(({ personId }) => personId))];
  const open = selectOpen(read, ['', ...everybody], now).select([
    'inquiries.id',
    'recipients.person_id',
    inquiryBytes.as('bytes'),
  ]);
  // Several people were counted to have at most `limit` in all: a limit here would cut one for what another is asked since.
  const found = await (everybody.length === 1 ? open.limit(limit + 1) : open).execute();
  const all = Map.groupBy(found, ({ person_id }) => person_id);
  const portions = new Map([...all].map(([personId, own]) => [personId, takePortion(own.slice(0, limit))]));
  // As many people as make a portion in all are read in one turn.
  const sizes = everybody.map((personId) => ({ personId, bytes: sumBytes(portions.get(personId) ?? []) }));
  const personIds = takePortion(sizes).map(({ personId }) => personId);
  const some = untilFirst(viewers, ({ personId }) => !personIds.includes(personId));
  const ids = [...new Set(personIds.flatMap((personId) => (portions.get(personId) ?? []).map(({ id }) => id)))];
  const rows = new Map((await readInquiries(read, ids)).map((row) => [row.id, row]));
  const view = await readViews(read, [...rows.values()], some);
  const drafts = await readDrafts(read, ids);
  const turn = takingTurns();
  const readFor = async (viewer: Viewer): Promise<Pick<Snapshot, 'inquiries' | 'more' | 'drafts'>> => {
    const { personId } = viewer;
    const shown = (portions.get(personId) ?? []).flatMap(({ id }) => rows.get(id) ?? []);
    return {
      inquiries: await seenBy(shown, (row) => view(row, viewer), turn),
      more: (all.get(personId) ?? []).length > (portions.get(personId) ?? []).length,
      drafts: shown.flatMap(({ id }) =>
        (drafts.get(id) ?? []).flatMap((row) => viewUndamaged({ id }, () => toDraft(row, personId)) ?? []),
      ),
    };
  };
  return { some, readFor };
}

function untilFirst<One>(all: One[], ends: (one: One) => boolean): One[] {
  const end = all.findIndex(ends);
  return end < 0 ? all : all.slice(0, end);
}

/** The counters of these people. */
export async function readVersions(reader: Reader, personIds: string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; version: number }>`select id, version from people
    where id in (select key from json_each(${keys(personIds)}))`.execute(reader);
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** Open inquiries of a person, newest first. */
export async function readOpen(
  read: Reader,
  viewer: Viewer,
  { limit, cursor, now }: { limit: number; cursor?: string | undefined; now: number },
  turn?: Turn,
): Promise<Page<Inquiry>> {
  let query = selectOpen(read, [viewer.personId], now);
  if (cursor !== undefined) query = query.where('recipients.inquiry_id', '<', cursor);
  const [shown, next] = await readPage(read, query, limit);
  return { items: await toViews(read, shown, viewer, turn), ...next };
}

/** What is open for these people, newest first. */
function selectOpen(read: Reader, personIds: string[], now: number) {
  return findInquiries(read)
    .innerJoin('recipients', 'recipients.inquiry_id', 'inquiries.id')
    .where('recipients.person_id', 'in', personIds)
    .where('recipients.open', '=', OPEN)
    .where('inquiries.deadline_at', '>', now)
    .orderBy('recipients.inquiry_id', 'desc');
}

/** Inquiries as this device sees them. */
export async function toViews(
  read: Reader,
  rows: InquiryRow[],
  viewer: Viewer,
  turn: Turn = takingTurns(),
): Promise<Inquiry[]> {
  const view = await readViews(read, rows, [viewer]);
  return seenBy(rows, (row) => view(row, viewer), turn);
}

async function seenBy(rows: InquiryRow[], view: (row: InquiryRow) => Inquiry, turn: Turn): Promise<Inquiry[]> {
  const views: Inquiry[] = [];
  for (const row of rows) {
    await turn();
    const seen = viewUndamaged(row, view);
    if (seen) views.push(seen);
  }
  return views;
}

async function readViews(read: Reader, rows: InquiryRow[], viewers: Viewer[]) {
  const ids = [...new Set(rows.map(({ id }) => id))];
  const deviceIds = viewers.map(({ deviceId }) => deviceId);
  const personIds = [...new Set(viewers.map(({ personId }) => personId))];
  const resolved = rows.filter(({ resolution }) => resolution !== null).map(({ id }) => id);
  const [reach, dismissed, later, late, lost, notTaken, earlier] = [
    await readReach(read, ids),
    await readDismissed(read, ids, deviceIds),
    await readLater(read, resolved.length < rows.length ? ids : [], personIds),
    await readOthers(read, resolved, 'late'),
    await readOthers(read, resolved, 'lost'),
    await readNotTaken(read, resolved),
    await readEarlier(read, rows),
  ];
  return (row: InquiryRow, { deviceId, personId }: Viewer): Inquiry =>
    deviceView(row, {
      reach: reach(row.id),
      dismissed: dismissed.has(`${row.id} ${deviceId}`),
      laterAt: later.get(`${row.id} ${personId}`),
      late: late.get(row.id),
      lost: lost.get(row.id),
      notTaken: notTaken.has(row.id),
      earlier: earlier(row),
    });
}

/** For each open inquiry of these what was answered to the same question before, and not picked up. */
async function readEarlier(read: Reader, rows: InquiryRow[]): Promise<(row: InquiryRow) => Inquiry['earlier']> {
  const open = rows.filter(({ resolution }) => resolution === null);
  if (open.length === 0) return () => undefined;
  const found = await readRows(read, earlierTo(open.map(({ id }) => id)));
  return (row) => (row.resolution === null ? pickEarlier(found, row.id) : undefined);
}

const dismissed = statement<{ inquiry_id: string; device_id: string }>(
  `select inquiry_id, device_id from inquiry_devices where device_id in {keys ?2}
  and inquiry_id in {keys ?1} and dismissed_at is not null`,
);

/** Each as `inquiry device`. */
async function readDismissed(read: Reader, inquiryIds: string[], deviceIds: string[]): Promise<Set<string>> {
  const rows = inquiryIds.length > 0 ? await readRows(read, dismissed(keys(inquiryIds), keys(deviceIds))) : [];
  return new Set(rows.map((row) => `${row.inquiry_id} ${row.device_id}`));
}
