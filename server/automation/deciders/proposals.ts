import { sql, type Kysely, type Selectable } from 'kysely';
import { newId } from '#shared/ids.ts';
import type { Proposal, Why } from '#shared/policies/decider.ts';
import { iso } from '../../platform/clock.ts';
import type { Schema } from '../../platform/schema.ts';
import { statement, type Statement } from '../../platform/steps.ts';
import { readStored, readStoredExact, viewUndamaged } from '../../platform/stored.ts';

/** `planned`: nothing is shown of it; it stands for what is to be done at `due_at`. */
export type ProposalRow = Selectable<Schema['proposals']> & { why: Why; state: Proposal['state'] | 'planned' };

/** A decider that is to be asked now; nothing came of it yet. */
export function newProposal(
  inquiryId: string,
  { decider, why, now }: { decider: { id: string; name: string }; why: Why; now: number },
): ProposalRow {
  return {
    id: newId('prp', now),
    inquiry_id: inquiryId,
    decider_id: decider.id,
    decider_name: decider.name,
    why,
    state: 'waiting',
    at: Math.floor(now),
    answer: null,
    decides_at: null,
    asked_by: null,
    problem: null,
    due_at: Math.floor(now),
    gives_up_at: null,
    rule: null,
  };
}

const insert = statement(
  `insert into proposals (id, inquiry_id, decider_id, decider_name, why, state, at, due_at, gives_up_at, rule)
    values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)`,
);

export function insertProposal(row: ProposalRow): Statement {
  const { id, inquiry_id, decider_id, decider_name, why, state, at, due_at, gives_up_at, rule } = row;
  return insert(id, inquiry_id, decider_id, decider_name, why, state, at, due_at, gives_up_at, rule);
}

// Whoever holds it now deletes it, once they find the inquiry resolved: it is locked before its inquiry, so to wait for it
// here could be to wait for each other.
export const dropProposal = statement(
  `delete from proposals where id in (select id from proposals where inquiry_id = ?1 {unlocked})
    and not exists (select 1 from inquiries where id = ?1 and resolution is null)`,
);

/** `spares`: nobody is woken while it stands. */
export const readSparing = statement<{ spares: number }>(
  'select case when rule is null then 0 else 1 end as spares from proposals where inquiry_id = ?1',
);

/** Who asked a decider to stand in for them, and with which words they would have declined. */
export type AskedBy = {
  handle: string;
  device: { id: string; name: string };
  via: 'live' | 'http' | 'notification' | 'mcp';
  message?: string | undefined;
};
/** The rule, or the YOLO, that asked it. */
export type ByRule = { id: string; rule: { name: string } };

export function readByRule({ rule }: Pick<ProposalRow, 'rule'>): ByRule | undefined {
  return rule === null ? undefined : readStored<ByRule>(rule);
}

/** A proposal as people's devices read it; undefined where there is nothing to show. */
export function toProposal(row: ProposalRow): Proposal | undefined {
  if (row.state === 'planned') return undefined;
  const { answer, decides_at: decidesAt, problem } = row;
  const person = row.asked_by === null ? undefined : readStored<AskedBy>(row.asked_by);
  return {
    id: row.id,
    inquiryId: row.inquiry_id,
    decider: { id: row.decider_id, name: row.decider_name },
    why: row.why,
    state: row.state,
    at: iso(row.at),
    ...(answer === null ? {} : { answer: readStored<NonNullable<Proposal['answer']>>(answer) }),
    ...(decidesAt === null ? {} : { decidesAt: iso(decidesAt) }),
    ...(person ? { askedBy: person.device.name, askedByHandle: person.handle } : {}),
    ...(problem === null ? {} : { problem }),
  };
}

/** Its answer, each number as it came. */
export function readAnswer({ answer }: ProposalRow): NonNullable<Proposal['answer']> | undefined {
  return answer === null ? undefined : readStoredExact<NonNullable<Proposal['answer']>>(answer);
}

/** So many are read at once: first those that will decide, then those of the newest inquiries. */
const READ_MAX = 1000;

/** What is proposed for all that is open for these people, by person. */
export async function readProposals(read: Kysely<Schema>, personIds: string[]): Promise<Map<string, Proposal[]>> {
  if (personIds.length === 0) return new Map();
  const rows = await read
    .selectFrom('recipients')
    .innerJoin('proposals', 'proposals.inquiry_id', 'recipients.inquiry_id')
    .selectAll('proposals')
    .select('recipients.person_id')
    .where('recipients.person_id', 'in', personIds)
    // Written out: a plan made once for every parameter could not use the index of what is open.
    .where('recipients.open', '=', sql.lit(1))
    .where('proposals.state', '<>', 'planned')
    .orderBy(sql`proposals.decides_at is null`)
    .orderBy('recipients.inquiry_id', 'desc')
    .limit(READ_MAX)
    .execute();
  const byPerson = Map.groupBy(rows, ({ person_id }) => person_id);
  const view = (row: (typeof rows)[number]) =>
    viewUndamaged({ id: row.inquiry_id }, () => toProposal(row as ProposalRow)) ?? [];
  return new Map([...byPerson].map(([id, own]) => [id, own.flatMap(view)]));
}
