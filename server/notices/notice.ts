import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Notice } from '#shared/wire.ts';
import { NewNotice, Privacy } from '#shared/wire.ts';
import { iso } from '../platform/clock.ts';
import type { Schema } from '../platform/schema.ts';

export type NewNotice = z.infer<typeof NewNotice>;
/** What a notice's row keeps as text; `to` as it was sent. */
export type Content = Omit<NewNotice, 'title' | 'key'>;

/** The notice as the OpenAPI document shows it. */
export const NoticeReply = z.object({
  id: z.string(),
  title: z.string(),
  body: z.string().optional(),
  link: z.string().optional(),
  urgency: NewNotice.shape.urgency,
  privacy: Privacy,
  source: z.object({ id: z.string(), name: z.string() }),
  at: z.string(),
  readAt: z.string().optional(),
});

type Row = {
  id: string;
  title: string;
  content: string;
  created_at: number;
  source_id: string;
  source_name: string;
  read_at?: number | null;
};

export function selectNotices(reader: Kysely<Schema>) {
  return reader
    .selectFrom('notices')
    .innerJoin('sources', 'sources.id', 'notices.source_id')
    .select([
      'notices.id',
      'notices.title',
      'notices.content',
      'notices.created_at',
      'notices.source_id',
      'sources.name as source_name',
    ]);
}

/** The notice as the wire shows it. */
export function noticeOf(row: Row): Notice {
  const { body, link, urgency, privacy } = JSON.parse(row.content) as Content;
  return {
    id: row.id,
    title: row.title,
    ...(body === undefined ? {} : { body }),
    ...(link === undefined ? {} : { link }),
    urgency,
    privacy,
    source: { id: row.source_id, name: row.source_name },
    at: iso(row.created_at),
    ...(row.read_at === null || row.read_at === undefined ? {} : { readAt: iso(row.read_at) }),
  };
}
