import type { Inquiry } from '#shared/inquiry.ts';
import { parseExact } from '#shared/json.ts';
import type { Resolution } from '#shared/answer.ts';
import { refusedCredential } from '../platform/http/access.ts';
import type { Inquiries } from './inquiries.ts';
import type { Page } from './inbox.ts';
import { openSecrets } from './seal.ts';
import {
  readAsSource,
  readOthers,
  readReach,
  selectInquiries,
  sourceView,
  type InquiryRow,
  type Reader,
} from './store.ts';

/**
 * The inquiry as its source reads it: secret answers included, until ten minutes after it had them. Throws 401 once
 * the source is revoked, so that a call which waits is told nothing any more.
 */
export async function readForSource(
  { database: { read }, sealingKey }: Inquiries,
  inquiryId: string,
  sourceId: string,
): Promise<Inquiry> {
  const row = await readAsSource(read, inquiryId, sourceId);
  if (row.source_revoked_at !== null) throw refusedCredential('unknown');
  const reach = (await readReach(read, [inquiryId]))(inquiryId);
  if (row.resolution === null) return sourceView(row, { reach });
  const late = row.late_count > 0 ? (await readOthers(read, [inquiryId], 'late')).get(inquiryId) : undefined;
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
): Promise<Page> {
  let query = selectInquiries(read).where('inquiries.source_id', '=', sourceId).orderBy('inquiries.id', 'desc');
  if (state === 'open') query = query.where('inquiries.resolution', 'is', null);
  else if (state === 'resolved') query = query.where('inquiries.resolution', 'is not', null);
  else if (state) query = query.where('inquiries.outcome', '=', state);
  if (cursor !== undefined) query = query.where('inquiries.id', '<', cursor);
  const rows = await query.limit(limit + 1).execute();
  const shown = rows.slice(0, limit);
  const ids = shown.map(({ id }) => id);
  const reach = await readReach(read, ids);
  const late = await readOthers(read, ids, 'late');
  const items = shown.map((row) => sourceView(row, { reach: reach(row.id), late: late.get(row.id) }));
  const last = items.at(-1);
  return rows.length > limit && last ? { items, nextCursor: last.id } : { items };
}

function withSecrets(row: InquiryRow, key: Buffer): Resolution {
  const resolution = parseExact(row.resolution ?? '') as Resolution;
  if (row.sealed === null || !resolution.answer) return resolution;
  return { ...resolution, answer: openSecrets(resolution.answer, row.sealed, key) };
}
