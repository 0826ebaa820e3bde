import { instant } from '../../platform/clock.ts';
import type { Failing } from '../../platform/failing.ts';
import type { ProposalRow } from './proposals.ts';
import type { Deciding } from './deciding.ts';
import type { Store } from '../../inquiries/inquiries.ts';
import { MOST_WAITED_MS } from '../../inquiries/expire.ts';
import { changeProposal } from './change.ts';
import { dueNow } from './steps.ts';

/** A run whose node is gone is taken up by another one after this. */
export const LEASE_MS = 15_000;
/** A suggestion, which nobody waits for, is given up so long after it was first taken up: the most that a run takes. */
const GIVES_UP_MS = 125_000;
/** A decision that could not be written rests so long: its deadline is near. */
const HELD_RESTS_MS = 500;
const BATCH = 100;

/** The next one that is to be asked, of none of these deciders: one that people wait for before a suggestion. */
export function nextWaiting({ database }: Store, full: string[]): Promise<{ id: string } | undefined> {
  return database.read
    .selectFrom('proposals')
    .select('id')
    .where('state', '=', 'waiting')
    .where('due_at', '<=', instant(database.clock))
    .$if(full.length > 0, (rows) => rows.where('decider_id', 'not in', full))
    .orderBy((row) => row('gives_up_at', 'is', null))
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
}

/** Takes one up, unless another node was first. */
export async function claim({ database }: Store, id: string): Promise<ProposalRow | undefined> {
  return (await database.transaction((trx) =>
    trx
      .updateTable('proposals')
      .set(({ fn, ref }) => ({
        due_at: instant(database.clock, LEASE_MS),
        gives_up_at: fn.coalesce(ref('gives_up_at'), instant(database.clock, GIVES_UP_MS)),
      }))
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .where('due_at', '<=', instant(database.clock))
      .returningAll()
      .executeTakeFirst(),
  )) as ProposalRow | undefined;
}

/** Keeps what this node has taken up; for 0 ms it gives that back: a hub that stops lets another node go on at once. */
export async function renew({ database }: Store, ids: string[], ms = LEASE_MS): Promise<void> {
  const due = { due_at: instant(database.clock, ms) };
  await database.transaction((trx) =>
    trx.updateTable('proposals').set(due).where('id', 'in', ids).where('state', '=', 'waiting').execute(),
  );
}

/** What falls due of proposals: holds that are over, answers that did not come in time, starts before a deadline. */
export async function settleDue(inquiries: Deciding, failing: Failing, behind: () => boolean): Promise<boolean> {
  const { database } = inquiries;
  // An answer that was read before the hold ended may wait for a connection, or behind other transactions.
  const isAnswered = (inquiryId: string) => inquiries.answering.values().some((one) => one.inquiryId === inquiryId);
  // One may lie unread in its socket too, where this process has stood still since.
  const mayLie = (decidesAt: number | null) => behind() && (decidesAt ?? 0) > database.clock.now() - MOST_WAITED_MS;
  const now = database.clock.now();
  const resting = failing.resting(now);
  const due = await database.read
    .selectFrom('proposals')
    .select(['id', 'decides_at'])
    .where((row) =>
      row.or([
        row.and([row('state', '<>', 'waiting'), row('due_at', '<=', instant(database.clock))]),
        row('gives_up_at', '<=', instant(database.clock)),
      ]),
    )
    .$if(resting.length > 0, (rows) => rows.where('id', 'not in', resting))
    .orderBy('due_at')
    .limit(BATCH)
    .execute();
  const ids = due.map(({ id }) => id);
  const held = new Set(due.flatMap(({ id, decides_at }) => (decides_at === null ? [] : [id])));
  const restMs = (id: string) => (held.has(id) ? HELD_RESTS_MS : undefined);
  const settle = async (id: string) =>
    void (await changeProposal(inquiries, id, (found, trx) =>
      isAnswered(found.inquiry.id) || mayLie(found.row.decides_at) ? undefined : dueNow(found, trx),
    ));
  await failing.each(ids, now, settle, restMs);
  return ids.length === BATCH;
}
