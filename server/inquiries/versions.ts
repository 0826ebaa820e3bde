import { RINGS_AGAIN_MS } from '../deliveries/push/remind.ts';
import { batch, statement, type Steps } from '../platform/steps.ts';
import type { PersonVersion } from './announce.ts';
const TOLD = `select key as id from {each ?1}
  union select person_id from recipients where inquiry_id = ?2 and open = 1`;
const waitForTurn = statement(`select pg_advisory_xact_lock(hashtextextended(min(id), 0)) from (${TOLD}) as told`);
const lockInOrder = statement(`select id from people where id in (${TOLD}) order by id for no key update`);

/**
 * People's counters are raised by the last step of a transaction, so that whoever else tells the same people waits for
 * its commit alone; locked in id order before, so that two changes cannot wait for each other. Before that they wait for
 * their turn at the first of these people: of many who wait for a row, Postgres wakes all at each commit.
 * `inquiryId`: an inquiry whose recipients are locked too, while it is open to them; one alone is locked as it is raised.
 */
export function lockPeople(people: string[], inquiryId: string) {
  const turn = waitForTurn(people, inquiryId);
  return people.length === 1 && inquiryId === '' ? [turn] : [turn, lockInOrder(people, inquiryId)];
}

type Raised = { id: string; version: number };
export const raisePeople = statement<Raised>(
  'update people set version = version + 1 where id in {keys ?1} returning id, version',
);

export const raiseRecipients = statement<Raised>(
  `update people set version = version + 1 where id in (select person_id from recipients where inquiry_id = ?1 and open = 1)
  and exists (select 1 from inquiries where id = ?1 and resolution is not null) returning id, version`,
);
export const closeRecipients = statement(
  `update recipients set open = 0 where inquiry_id = ?1 and open = 1
  and exists (select 1 from inquiries where id = ?1 and resolution is not null)`,
);

/** What the devices of these people are told, in id order. */
export function raised(rows: Raised[]): PersonVersion[] {
  return rows
    .map(({ id, version }) => ({ personId: id, version }))
    .toSorted((a, b) => (a.personId < b.personId ? -1 : 1));
}

export const insertRecipients = statement(
  `insert into recipients (person_id, inquiry_id, open, remind_at, asked_at)
  select key, cast(?2 as text), cast(?3 as integer),
    cast(?4 as bigint) + (select ${RINGS_AGAIN_MS} from people where people.id = key), cast(?5 as bigint) from {each ?1}`,
);

const recipients = statement<{ person_id: string }>('select person_id from recipients where inquiry_id = ?1');

/** Everybody who was asked. */
export function* readRecipients(inquiryId: string): Steps<string[]> {
  const { rows } = yield* batch({ rows: recipients(inquiryId) });
  return rows.map((row) => row.person_id);
}

/** Raises the counters of everybody who was asked: an inquiry changed and stays open. */
export function* raiseVersions(inquiryId: string): Steps<PersonVersion[]> {
  const people = yield* readRecipients(inquiryId);
  const { rows } = yield* batch({ locks: lockPeople(people, ''), rows: raisePeople(people) });
  return raised(rows);
}
