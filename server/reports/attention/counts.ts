import { sql, type RawBuilder } from 'kysely';
import { firstIdAt } from '#shared/ids.ts';
import type { Database } from '../../platform/database.ts';
import { takePortion, type Turn } from '../../platform/loop.ts';
import { readStored, viewUndamaged } from '../../platform/stored.ts';
import { inquiryBytes } from '../../inquiries/store.ts';
import { hourOfWeek } from './zone.ts';

export type Ending = 'mine' | 'others' | 'rule' | 'yolo' | 'decider' | 'expired' | 'withdrawn' | 'open';
/**
 * So many inquiries of one source that went alike: in which hours of the week they notified and were settled without
 * anybody, and of this person's answers of what kind they are and how long they took.
 */
export type Group = {
  source_id: string;
  ending: Ending;
  outcome: string | null;
  label: string | null;
  opened: number | null;
  notified: number | null;
  settled: number | null;
  kind: Kind | null;
  ms: number | null;
  count: number;
  /** When the last of them was settled. */
  last: number | null;
};
export type Kind = 'actions' | 'questions' | 'document';
export type Window = { personId: string; timeZone: string; since: number; now: number };

/** One statement looks at so many inquiries: on SQLite it holds up everything else while it runs. */
const LOOKED_AT_ONCE = 1_000;
const COUNTED_MAX = 100_000;

/**
 * What one person was asked since an instant, the newest first, added up a portion at a time and given to `add`. Returns
 * since when it counted, which is later where there were more than 100,000.
 */
export async function countAsked(
  { read, engine }: Pick<Database, 'read' | 'engine'>,
  window: Window,
  turn: Turn,
  add: (group: Group) => void,
): Promise<number> {
  const { personId, since } = window;
  const first = firstIdAt('inq', since);
  const hourOf = hourOfWeek(window.timeZone, since, window.now);
  for (const open of [1, 0]) {
    let before: string | undefined;
    for (let looked = 0; before !== first;) {
      await turn();
      if (looked >= COUNTED_MAX) return openedAt(read, before!);
      const { from, count } = await nextLook(read, { personId, open, from: first, before });
      looked += count;
      const groups = (without?: string[]) =>
        countGroups(engine, personId, hourOf, { open, from, before, without }).execute(read);
      const { rows } = await groups().catch(async (error: unknown) => {
        const damaged = await damagedOf(read, { personId, open, from, before });
        if (damaged.length === 0) throw error;
        return groups(damaged);
      });
      for (const group of rows) add(group);
      before = from;
    }
  }
  return since;
}

type Reader = Database['read'];
type Range = { open: number; from: string; before: string | undefined };

/** Those that a disk has damaged, so that no statement can look into them; each is named in a warning. */
async function damagedOf(read: Reader, { personId, open, from, before }: Range & { personId: string }) {
  const rows = await read
    .selectFrom('recipients')
    .innerJoin('inquiries', 'inquiries.id', 'recipients.inquiry_id')
    .select(['inquiries.id', 'asked', 'resolution'])
    .where('person_id', '=', personId)
    .where('open', '=', open)
    .where('inquiry_id', '>=', from)
    .$if(before !== undefined, (query) => query.where('inquiry_id', '<', before!))
    .execute();
  const isWhole = ({ asked, resolution }: { asked: string; resolution: string | null }) =>
    [asked, resolution ?? '{}'].every(readStored);
  return rows.filter((row) => !viewUndamaged(row, isWhole)).map(({ id }) => id);
}

/** With which inquiry the next look ends, and how many it counts: a thousand, or as many as make a portion. */
async function nextLook(read: Reader, { personId, open, from, before }: Range & { personId: string }) {
  const rows = await read
    .selectFrom('recipients')
    .innerJoin('inquiries', 'inquiries.id', 'recipients.inquiry_id')
    .select(['inquiries.id', inquiryBytes.as('bytes')])
    .where('person_id', '=', personId)
    .where('open', '=', open)
    .where('inquiry_id', '>=', from)
    .$if(before !== undefined, (query) => query.where('inquiry_id', '<', before!))
    .orderBy('inquiry_id', 'desc')
    .limit(LOOKED_AT_ONCE)
    .execute();
  const portion = takePortion(rows);
  const isLast = portion.length < LOOKED_AT_ONCE && portion.length === rows.length;
  return { from: (isLast ? undefined : portion.at(-1)?.id) ?? from, count: portion.length };
}

async function openedAt(read: Reader, inquiryId: string): Promise<number> {
  const row = await read.selectFrom('inquiries').select('opened_at').where('id', '=', inquiryId).executeTakeFirst();
  return Number(row?.opened_at);
}

// A device that was revoked since was this person's too.
function countGroups(
  engine: Database['engine'],
  personId: string,
  hourOf: ReturnType<typeof hourOfWeek>,
  { open, from, before, without = [] }: Range & { without?: string[] | undefined },
): RawBuilder<Group> {
  const member = (column: string, ...path: string[]) =>
    engine === 'postgres'
      ? sql`(${sql.ref(column)}::json #>> ${sql.lit(`{${path.join(',')}}`)})`
      : sql`(${sql.ref(column)} ->> ${sql.lit(`$.${path.join('.')}`)})`;
  const own = sql`(select id from devices where person_id = ${personId})`;
  const asked = sql`select i.source_id, i.outcome, i.asked, i.resolution, i.resolved_at, i.opened_at, i.resolved_at - i.opened_at as ms,
      ${member('i.resolution', 'by', 'kind')} as kind,
      (select min(accepted_at) from inquiry_devices where inquiry_id = i.id and device_id in ${own}) as notified_at
    from recipients r join inquiries i on i.id = r.inquiry_id
    where r.person_id = ${personId} and r.open = ${sql.lit(open)} and r.inquiry_id >= ${from}
      ${before === undefined ? sql`` : sql`and r.inquiry_id < ${before}`}
      ${without.length === 0 ? sql`` : sql`and i.id not in (${sql.join(without)})`}`;
  const ended = sql`select asked.*, case when kind = 'person' then
        case when ${member('resolution', 'by', 'device', 'id')} in ${own} then 'mine' else 'others' end
      when kind = 'policy' then case when ${member('resolution', 'by', 'ruleId')} like 'yol!_%' escape '!' then 'yolo' else 'rule' end
      when kind = 'decider' then 'decider' else coalesce(outcome, 'open') end as ending from asked`;
  // What one would say: 22 seconds, 3 minutes, 7 hours; so there are never many.
  const rounded = sql`case when ms < 60000 then ms / 1000 * 1000 when ms < 600000 then ms / 5000 * 5000
    when ms < 3600000 then ms / 30000 * 30000 when ms < 86400000 then ms / 300000 * 300000 else ms / 3600000 * 3600000 end`;
  const automatic = sql`ending in ('rule', 'yolo', 'decider')`;
  // Materialized, because what a column is made of would be made again wherever it is named.
  return sql<Group>`with asked as materialized (${asked}), ended as materialized (${ended})
    select source_id, ending, outcome,
      case when ${automatic} then ${member('resolution', 'by', 'label')} end as label,
      case when not ${automatic} then ${hourOf(sql`opened_at`)} end as opened,
      ${hourOf(sql`notified_at`)} as notified, case when ${automatic} then ${hourOf(sql`resolved_at`)} end as settled,
      case when ending <> 'mine' then null when ${member('asked', 'actions')} is not null then 'actions'
        when ${member('asked', 'document')} is not null then 'document' else 'questions' end as kind,
      case when ending = 'mine' then ${rounded} end as ms, count(*) as count, max(resolved_at) as last
    from ended group by 1, 2, 3, 4, 5, 6, 7, 8, 9`;
}
