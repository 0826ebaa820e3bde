import type { InferResult, Kysely } from 'kysely';
import type { z } from 'zod';
import type { NewNotice as NewNoticeSchema, Notice } from '#shared/wire.ts';
import { forget } from '../platform/forget.ts';
import { DAY_MS, iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { readWhole } from '../platform/stored.ts';
import type { Schema } from '../platform/schema.ts';

export type NewNotice = z.infer<typeof NewNoticeSchema>;

export function selectNotices(reader: Kysely<Schema>) {
  return reader
    .selectFrom('notices')
    .innerJoin('sources', 'sources.id', 'notices.source_id')
    .select(['notices.id as id', 'notices.title as title', 'content', 'notices.created_at as createdAt'])
    .select(['source_id as sourceId', 'sources.name as sourceName']);
}

type NoticeRow = InferResult<ReturnType<typeof selectNotices>>[number] & { read_at?: number | null };

// How much of it a lock screen may show is not known any more.
const UNKNOWN = { to: undefined, urgency: 'normal', privacy: 'nothing' } as const;

/** The notice as the wire shows it; of a damaged one its title and source. */
export function viewNotice({
  id,
  title,
  content,
  createdAt,
  sourceId,
  sourceName,
  read_at: readAt = null,
}: NoticeRow): Notice {
  const { to: _, ...stored } = readWhole<Omit<NewNotice, 'title' | 'key'>>(content) ?? UNKNOWN;
  return {
    id,
    title,
    ...stored,
    source: { id: sourceId, name: sourceName },
    at: iso(createdAt),
    ...(readAt === null ? {} : { readAt: iso(readAt) }),
  };
}

/** Drops notices older than `retainDays`, read or not. */
export function forgetNotices(database: Database, retainDays: number, now = database.clock.now()): Promise<number> {
  return forget(database, { table: 'notices', column: 'created_at', before: now - retainDays * DAY_MS });
}
