import type { z } from 'zod';
import { toOccurrence } from '../../deliveries/enqueue.ts';
import { HOUR_MS } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { statement } from '../../platform/steps.ts';
import type { Poll } from './params.ts';
import { EventRefusal } from './refusal.ts';

const MOST = 100;
/** Further back nobody looks: who was away for longer is told that something may be missing. */
const REPLAY_MS = HOUR_MS;
/** What ends is looked for so much later, when its transaction has been committed, wherever it runs. */
const SETTLED_MS = 5_000;
const NEXT_MS = 5_000;

/** Where a client stands in what ended: behind this inquiry of this instant. */
type Place = { at: number; id: string };

/** Found by the time alone: a source may have a million that ended before. */
export const endedSince = statement<{ id: string; resolved_at: number; outcome: string }>(
  `select id, resolved_at, outcome from inquiries where source_id || '' = ?1 and resolved_at >= ?2 and resolved_at <= ?3
  and (resolved_at > ?2 or id > ?4) and (cast(?5 as text) is null or id = ?5) order by resolved_at, id limit ?6`,
);

/** What ended since a client polled last, at most once through a cursor; its first poll only says where it begins. */
export async function poll(
  { rows, clock }: Pick<Database, 'rows' | 'clock'>,
  sourceId: string,
  { cursor, maxAgeMs, maxEvents = MOST, arguments: { inquiryId } }: z.output<typeof Poll>,
) {
  const now = Math.floor(clock.now());
  const horizon = now - SETTLED_MS;
  const rest = { truncated: false, hasMore: false, nextPollMs: NEXT_MS };
  if (cursor === null || cursor === undefined) return { events: [], cursor: write({ at: now, id: '' }), ...rest };
  const given = read(cursor);
  const oldest = now - Math.min(REPLAY_MS, Math.max(SETTLED_MS, maxAgeMs ?? REPLAY_MS));
  // A place that is yet to come is from before the clock was put back.
  const truncated = given.at < oldest || given.at > now + SETTLED_MS;
  const from: Place = truncated ? { at: given.at < oldest ? oldest : now, id: '' } : given;
  const most = Math.floor(Math.min(MOST, Math.max(1, maxEvents)));
  const [found] = await rows(endedSince(sourceId, from.at, horizon, from.id, inquiryId ?? null, most + 1));
  const shown = found.slice(0, most);
  const last = shown.at(-1);
  const hasMore = found.length > most;
  const next =
    hasMore && last ? { at: last.resolved_at, id: last.id } : from.at > horizon ? from : { at: horizon + 1, id: '' };
  return {
    events: shown.map(({ id, resolved_at, outcome }) =>
      toOccurrence({ type: 'inquiry.resolved', inquiryId: id, state: outcome as 'answered', at: resolved_at }),
    ),
    ...rest,
    cursor: write(next),
    truncated,
    hasMore,
  };
}

const write = ({ at, id }: Place): string => Buffer.from(`${at} ${id}`).toString('base64url');

function read(cursor: string): Place {
  const [, at, id = ''] = /^(\d{1,15}) ([\w-]*)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (at === undefined) throw new EventRefusal('InvalidParams', 'Invalid params: cursor is none of this hub.');
  return { at: Number(at), id };
}
