import { sql, type SqlBool } from 'kysely';
import type { HistoryFilter } from '#shared/history.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Page } from '../../platform/http/params.ts';
import { takePortion, sumBytes, takingTurns, type Turn } from '../../platform/loop.ts';
import { takeTurn } from '../../platform/turns.ts';
import type { Viewer } from '../../inquiries/answerer.ts';
import { toViews } from '../../inquiries/read.ts';
import { inquiryBytes, findInquiries, readInquiries, type Reader } from '../../inquiries/store.ts';
import { askedIds, readDeviceIds, idsOf, LOOKED_AT_ONCE, readSizes } from '../../inquiries/asked.ts';
import { mayHold, saysAll, splitWords } from './words.ts';

export type HistoryQuery = HistoryFilter & { limit: number; cursor?: string | undefined };

export const LOOKS = 25;

/**
 * Resolved inquiries of a person that fit the filter, newest first, with late and beaten answers. A page may hold
 * fewer than `limit`, or none, and still have a `nextCursor`: so far 10,000 were looked through, or about 2 MiB were read.
 */
export async function readHistory(
  read: Reader,
  viewer: Viewer,
  query: HistoryQuery,
  turn: Turn = takingTurns(),
): Promise<Page<Inquiry>> {
  const { limit, cursor, ...filter } = query;
  const narrowed = Object.values(filter).some((part) => part !== undefined);
  const atOnce = narrowed ? LOOKED_AT_ONCE : limit + 1;
  const fits = await judge(read, viewer, filter);
  const items: Inquiry[] = [];
  let from = cursor;
  let taken = 0;
  for (let look = 0; look < LOOKS; look++) {
    await turn();
    const ids = await askedIds(read, viewer.personId, { open: 0, from, limit: atOnce });
    // Words are searched for in the texts themselves.
    const searched = filter.q === undefined ? ids : idsOf(takePortion(await readSizes(read, ids)));
    const among = await sizedAmong(read, searched, filter, limit + 1);
    const portion = takePortion(among, taken);
    await takeTurn(sumBytes(portion));
    const found = await toViews(read, await readInquiries(read, idsOf(portion)), viewer, turn);
    items.push(...found.filter(fits));
    const last = items.slice(0, limit).at(-1);
    if (items.length > limit && last) return { items: items.slice(0, limit), nextCursor: last.id };
    if (items.length > 0) taken += sumBytes(portion);
    if (portion.length < among.length) {
      from = portion.at(-1)?.id ?? from;
      if (items.length > 0) break;
    } else if (among.length > limit) from = portion.at(-1)?.id;
    else if (ids.length < atOnce && searched.length === ids.length) return { items };
    else from = searched.at(-1);
  }
  return { items, ...(from === undefined ? {} : { nextCursor: from }) };
}

async function sizedAmong(read: Reader, ids: string[], filter: HistoryFilter, limit: number) {
  if (ids.length === 0) return [];
  const { outcome, source, after, before, rule, late, q } = filter;
  let query = findInquiries(read).where('inquiries.id', 'in', ids).orderBy('inquiries.id', 'desc');
  if (outcome !== undefined) query = query.where('inquiries.outcome', '=', outcome);
  if (source !== undefined) query = query.where('inquiries.source_id', '=', source);
  if (after !== undefined) query = query.where('inquiries.resolved_at', '>=', Date.parse(after));
  if (before !== undefined) query = query.where('inquiries.resolved_at', '<', Date.parse(before));
  if (rule !== undefined) query = query.where('inquiries.rule', 'is not', null);
  if (late !== undefined) query = query.where('inquiries.late_count', '>', 0);
  for (const word of splitWords(q)) query = query.where(someColumnHolds(word));
  return query
    .select(['inquiries.id', inquiryBytes.as('bytes')])
    .limit(limit)
    .execute();
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
  const words = splitWords(q);
  const own = by === 'me' ? await readDeviceIds(read, personId) : undefined;
  return (inquiry: Inquiry): boolean => {
    const decider = inquiry.resolution?.by;
    if (own && !(decider?.kind === 'person' && own.has(decider.device.id))) return false;
    if (by === 'rule' && decider?.kind !== 'policy' && decider?.kind !== 'decider') return false;
    if (by === 'decider' && decider?.kind !== 'decider') return false;
    if (rule !== undefined && !(decider && 'ruleId' in decider && decider.ruleId === rule)) return false;
    return saysAll(inquiry, words);
  };
}
