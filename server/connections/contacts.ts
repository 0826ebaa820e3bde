import type { Kysely, Selectable } from 'kysely';
import type { Contact, Trouble } from '#shared/connections/contact.ts';
import { newId } from '#shared/ids.ts';
import type { Resolution } from '#shared/answer.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { readPage, type Page } from '../platform/http/params.ts';
import type { Schema } from '../platform/schema.ts';
import { commitWith, statement } from '../platform/steps.ts';

/** So many contacts of one connection are kept, the newest. */
const MOST_CONTACTS = 200;

const insert = statement(
  `insert into connection_contacts (id, source_id, at, what, status, ms, problem, inquiries)
  select ?1, source_id, cast(?3 as bigint), ?4, cast(?5 as integer), cast(?6 as bigint), ?7, ?8 from connections
  where source_id = ?2 and case cast(?9 as text)
    when 'new' then not exists (select 1 from connection_contacts where source_id = ?2 and problem = ?7)
    when 'changed' then coalesce(?7, '') <> coalesce((select problem from connection_contacts
      where source_id = ?2 and what = ?4 and (problem is null or problem not like '{"code":"thread.%')
      order by id desc limit 1), '')
    else 1 = 1 end`,
);
const prune = statement(
  `delete from connection_contacts where source_id = ?1 and id <= (select id from connection_contacts
    where source_id = ?1 order by id desc limit 1 offset ${MOST_CONTACTS})`,
);

export type NewContact = Pick<Contact, 'what' | 'status' | 'problem' | 'ms'> & {
  /** The inquiries it was about, this connection's and others that it showed. */
  inquiries?: readonly string[] | undefined;
  /**
   * "new": nothing is written where the same problem stands among the kept contacts. "changed": nothing where the last
   * one of its kind, a thread's own problem aside, had the same; before the first one all was well.
   */
  when?: 'always' | 'new' | 'changed' | undefined;
};

/** Writes down one contact with a connection's platform, after its end; nothing where the connection was removed. */
export async function recordContact(
  database: Database,
  sourceId: string,
  { what, status, ms, problem, inquiries = [], when = 'always' }: NewContact,
): Promise<void> {
  await database.steps(() => {
    const at = database.clock.now();
    const problemText = problem ? JSON.stringify(problem) : null;
    const ids = JSON.stringify(inquiries);
    return commitWith({
      inserted: insert(newId('ctc', at), sourceId, at, what, status ?? null, Math.round(ms), problemText, ids, when),
      pruned: prune(sourceId),
    });
  });
}

/** One page of a connection's contacts, newest first; what was forgotten of their inquiries is left out. */
export async function listContacts(
  read: Kysely<Schema>,
  { sourceId, cursor, limit }: { sourceId: string; cursor?: string | undefined; limit: number },
): Promise<Page<Contact>> {
  const rows = read
    .selectFrom('connection_contacts')
    .selectAll()
    .where('source_id', '=', sourceId)
    .$if(cursor !== undefined, (query) => query.where('id', '<', cursor!))
    .orderBy('id', 'desc');
  return readPage(rows, limit, async (shown) => {
    const concerned = await concernedIn(read, sourceId, shown.flatMap(parseIds));
    return shown.map((row) => ({
      id: row.id,
      what: row.what as Contact['what'],
      ms: row.ms,
      ...happened(row),
      inquiries: parseIds(row).flatMap((id) => concerned.get(id) ?? []),
    }));
  });
}

/** The last contact of each of these connections, and the last one that went wrong. */
export async function lastContacts(read: Kysely<Schema>, sourceIds: string[]) {
  if (sourceIds.length === 0) return () => ({});
  const newest = (wrong: boolean) =>
    read
      .selectFrom('connection_contacts')
      .select(({ fn }) => fn.max('id').as('id'))
      .where('source_id', 'in', sourceIds)
      .$if(wrong, (rows) =>
        rows.where(({ eb, or, and }) =>
          or([eb('problem', 'is not', null), and([eb('status', '>=', 400), eb('what', '<>', 'check')])]),
        ),
      )
      .groupBy('source_id');
  const rows = await read
    .selectFrom('connection_contacts')
    .selectAll()
    .where((row) => row.or([row('id', 'in', newest(false)), row('id', 'in', newest(true))]))
    .orderBy('id')
    .execute();
  return (sourceId: string) => {
    const own = rows.filter((row) => row.source_id === sourceId).map(happened);
    const [last] = own.slice(-1);
    const [wrong] = own.filter(({ problem }) => problem).slice(-1);
    return {
      ...(last ? { lastContact: { at: last.at, ...(last.status === undefined ? {} : { status: last.status }) } } : {}),
      ...(wrong?.problem ? { lastError: { at: wrong.at, problem: wrong.problem } } : {}),
    };
  };
}

type ContactRow = Selectable<Schema['connection_contacts']>;

function happened({ what, at, status, problem }: ContactRow): Pick<Contact, 'at' | 'status' | 'problem'> {
  const trouble = problem === null ? statusTrouble(what, status ?? 0) : (JSON.parse(problem) as Trouble);
  return { at: iso(at), ...(status === null ? {} : { status }), ...(trouble ? { problem: trouble } : {}) };
}

// A check says itself what a status means.
function statusTrouble(what: string, status: number): Trouble | undefined {
  if (status < 400 || what === 'check') return undefined;
  if (what === 'webhook')
    return { code: 'inbound.refused', detail: `The hub refused what was posted, with status ${status}.` };
  return { code: 'upstream.status', detail: `The platform answered with status ${status}.` };
}

function parseIds({ inquiries }: ContactRow): string[] {
  return JSON.parse(inquiries) as string[];
}

async function concernedIn(read: Kysely<Schema>, sourceId: string, ids: string[]) {
  const inquiries =
    ids.length === 0
      ? []
      : await read
          .selectFrom('inquiries')
          .select(['id', 'key', 'asked', 'outcome', 'source_id'])
          .where('id', 'in', ids)
          .execute();
  const answers = await answersTo(read, sourceId, ids);
  return new Map(
    inquiries.map(({ id, key, asked, outcome, source_id: source }): [string, Contact['inquiries'][number]] => {
      const answer = answers.get(id);
      const view = {
        id,
        ...(key === null || source !== sourceId ? {} : { key }),
        ...(source === sourceId ? { text: (JSON.parse(asked) as { title: string }).title } : {}),
        ...(outcome === null ? {} : { outcome: outcome as Resolution['outcome'] }),
        ...(answer ? { answer } : {}),
      };
      return [id, view];
    }),
  );
}

/** How far the answers of this connection's inquiries came, each with its last attempt. */
async function answersTo(read: Kysely<Schema>, sourceId: string, ids: string[]) {
  if (ids.length === 0) return new Map<string, never>();
  const rows = await read
    .selectFrom('deliveries')
    .leftJoin('delivery_attempts as last', (join) =>
      join.onRef('last.delivery_id', '=', 'deliveries.id').onRef('last.number', '=', 'deliveries.attempt_count'),
    )
    .select(['inquiry_id', 'state', 'attempt_count', 'last.at', 'last.status', 'last.error'])
    .where('inquiry_id', 'in', ids)
    .where('source_id', '=', sourceId)
    .where('type', '=', 'inquiry.resolved')
    .where('typed_by_owner', '=', 1)
    .execute();
  return new Map(
    rows.map(({ inquiry_id: id, state, attempt_count: attemptCount, at, status, error }) => [
      id,
      {
        state: state as NonNullable<Contact['inquiries'][number]['answer']>['state'],
        attemptCount,
        ...(at === null ? {} : { at: iso(at) }),
        ...(status === null ? {} : { status }),
        ...(error === null ? {} : { error }),
      },
    ]),
  );
}
