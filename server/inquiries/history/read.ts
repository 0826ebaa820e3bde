import { setImmediate } from 'node:timers/promises';
import { sql, type SqlBool } from 'kysely';
import type { HistoryFilter } from '#shared/history.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Page } from '../../platform/http/params.ts';
import type { Viewer } from '../inquiries.ts';
import { viewsOf } from '../read.ts';
import { selectInquiries, type InquiryRow, type Reader } from '../store.ts';
import { mayHold, saysAll, wordsOf } from './words.ts';

export type HistoryQuery = HistoryFilter & { limit: number; cursor?: string | undefined };

/** One statement looks at so many rows: on SQLite it holds up everything else while it runs. */
export const LOOKED_AT_ONCE = 400;
export const LOOKS = 25;

/**
 * Resolved inquiries of a person that fit the filter, newest first, with late and beaten answers. A page may hold
 * fewer than `limit`, or none, and still have a `nextCursor`: so far 10,000 were looked through.
 */
export async function readHistory(read: Reader, viewer: Viewer, query: HistoryQuery): Promise<Page<Inquiry>> {
  const { limit, cursor, ...filter } = query;
  const narrowed = Object.values(filter).some((part) => part !== undefined);
  const atOnce = narrowed ? LOOKED_AT_ONCE : limit + 1;
  const fits = await judge(read, viewer, filter);
  const items: Inquiry[] = [];
  let from = cursor;
  for (let look = 0; look < LOOKS; look++) {
    const ids = await askedIds(read, viewer.personId, { open: 0, from, limit: atOnce });
    const rows = await rowsAmong(read, ids, filter, limit + 1);
    const found = await viewsOf(read, rows, viewer);
    items.push(...found.filter(fits));
    const last = items.slice(0, limit).at(-1);
    if (items.length > limit && last) return { items: items.slice(0, limit), nextCursor: last.id };
    const whole = rows.length <= limit;
    if (whole && ids.length < atOnce) return { items };
    from = whole ? ids.at(-1) : rows.at(-1)?.id;
    await setImmediate();
  }
  return from === undefined ? { items } : { items, nextCursor: from };
}

/** The ids of this person's devices, those that were revoked included. */
export async function devicesOf(read: Reader, personId: string): Promise<Set<string>> {
  const rows = await read.selectFrom('devices').select('id').where('person_id', '=', personId).execute();
  return new Set(rows.map(({ id }) => id));
}

/** What was asked of a person and is open (1) or resolved (0), newest first, before `from`. */
export async function askedIds(
  read: Reader,
  personId: string,
  { open, from, limit }: { open: 0 | 1; from: string | undefined; limit: number },
): Promise<string[]> {
  const rows = await read
    .selectFrom('recipients')
    .select('inquiry_id')
    .where('person_id', '=', personId)
    .where('open', '=', open)
    .$if(from !== undefined, (query) => query.where('inquiry_id', '<', from!))
    .orderBy('inquiry_id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => row.inquiry_id);
}

async function rowsAmong(read: Reader, ids: string[], filter: HistoryFilter, limit: number): Promise<InquiryRow[]> {
  if (ids.length === 0) return [];
  const { outcome, source, after, before, rule, late, q } = filter;
  let query = selectInquiries(read).where('inquiries.id', 'in', ids).orderBy('inquiries.id', 'desc');
  if (outcome !== undefined) query = query.where('inquiries.outcome', '=', outcome);
  if (source !== undefined) query = query.where('inquiries.source_id', '=', source);
  if (after !== undefined) query = query.where('inquiries.resolved_at', '>=', Date.parse(after));
  if (before !== undefined) query = query.where('inquiries.resolved_at', '<', Date.parse(before));
  if (rule !== undefined) query = query.where('inquiries.rule', 'is not', null);
  if (late !== undefined) query = query.where('inquiries.late_count', '>', 0);
  for (const word of wordsOf(q)) query = query.where(someColumnHolds(word));
  return query.limit(limit).execute();
}

function someColumnHolds(word: string) {
  const among = ['asked', 'transport', 'asked_of', 'resolution'].map((column) => mayHold(`inquiries.${column}`, word));
  const answered = ['words', 'answered_by'].map((column) => mayHold(`answers.${column}`, word));
  const either = sql.join([...among, mayHold('sources.name', word)], sql` or `);
  return sql<SqlBool>`(${either} or exists (select 1 from answers
    where answers.inquiry_id = inquiries.id and (${sql.join(answered, sql` or `)})))`;
}

// What no column says by itself.
async function judge(read: Reader, { personId }: Viewer, { q, by, rule }: HistoryFilter) {
  const words = wordsOf(q);
  const own = by === 'me' ? await devicesOf(read, personId) : undefined;
  return (inquiry: Inquiry): boolean => {
    const decider = inquiry.resolution?.by;
    if (own && !(decider?.kind === 'person' && own.has(decider.device.id))) return false;
    if (by === 'rule' && decider?.kind !== 'policy' && decider?.kind !== 'decider') return false;
    if (by === 'decider' && decider?.kind !== 'decider') return false;
    if (rule !== undefined && !(decider && 'ruleId' in decider && decider.ruleId === rule)) return false;
    return saysAll(inquiry, words);
  };
}
