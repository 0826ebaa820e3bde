import { sql } from 'kysely';
import type { Resolution } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { DAY_MS, instant } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { batch } from '../platform/steps.ts';
import { createFailing, type Failing } from '../platform/failing.ts';
import type { Jobs } from '../platform/repeat.ts';
import { forget } from '../platform/forget.ts';
import { readStoredExact } from '../platform/stored.ts';
import { idsOf } from './asked.ts';
import { noteNotPickedUp } from './collected.ts';
import { escalate } from './escalate.ts';
import type { Inquiries, Store } from './inquiries.ts';
import { warnUnreached } from './reach.ts';
import { remind } from './remind.ts';
import { announceResolved, resolve } from './resolve.ts';
import { inquiryById, type InquiryRow } from './store.ts';
import { asAbandoned, renewAwaited, SOON_MS } from './lease.ts';

const BATCH = 100;
/** An answer that waited longer in this process counts from so long ago. */
export const MOST_WAITED_MS = 15_000;
/** The keys of what is asked by the Agent Approval Protocol begin with this. */
export const AAP_KEY = 'aap:';
const AAP_DAYS = 8;
const COLLECTED_SECRETS_MS = 10 * 60_000;

/** How an inquiry ends at its deadline (RES4). */
export function asExpired(row: InquiryRow): Omit<Resolution, 'at' | 'text' | 'note'> {
  const { suggested, onExpire } = readStoredExact<Inquiry>(row.transport);
  const by = { kind: 'deadline' as const, label: 'deadline' as const };
  return { outcome: 'expired', by, ...(onExpire === 'suggested' && suggested ? { answer: suggested } : {}) };
}

/**
 * What falls due by itself: deadlines, leases whose asker is gone, escalations, warnings that nobody was reached, answers
 * that nobody picked up, reminders, secrets collected ten minutes ago. Any number of nodes may run these jobs; how late they run decides nothing. A row that throws rests
 * for 10 s and is reported, the others are done; a job returns true when there may be more to do. While `behind` says that
 * this process stood still and has not read yet what lay in its sockets, what an answer in there may still win stays open.
 */
export function sweepJobs(inquiries: Inquiries, behind: () => boolean = () => false): Jobs {
  const failing = {
    deadlines: createFailing(),
    leases: createFailing(),
    escalations: createFailing(),
    reach: createFailing(),
    pickups: createFailing(),
    reminders: createFailing(),
  };
  let due: Partial<Awaited<ReturnType<typeof lookForDue>>> = {};
  return {
    async clock() {
      const versions = await inquiries.database.followClock?.();
      if (versions?.length) inquiries.announce.moved(versions);
    },
    async due() {
      due = {};
      due = await lookForDue(inquiries);
    },
    async deadlines() {
      if (!due.deadline) return;
      return resolveDue(inquiries, failing.deadlines, 'deadline_at', behind);
    },
    async leases() {
      if (!due.lease) return;
      await renewAwaited(inquiries, SOON_MS);
      return resolveDue(inquiries, failing.leases, 'lease_until', behind);
    },
    async escalations() {
      if (!due.escalation) return;
      return sweepDue(inquiries, failing.escalations, 'escalate_at', async (id) => {
        // What may be answered already asks nobody else before that is known.
        if (!behind() && !isAnswering(inquiries, id)) await escalate(inquiries, id);
      });
    },
    async 'reach warnings'() {
      if (!due.reach) return;
      return sweepDue(inquiries, failing.reach, 'reach_due_at', (id) => warnUnreached(inquiries, id));
    },
    async pickups() {
      if (!due.pickup) return;
      return sweepDue(inquiries, failing.pickups, 'pickup_due_at', (id) => noteNotPickedUp(inquiries, id));
    },
    async reminders() {
      if (!due.reminder) return;
      return sweepReminders(inquiries, failing.reminders);
    },
    async secrets() {
      return due.secret ? eraseCollectedSecrets(inquiries) : undefined;
    },
  };
}

/** Something of each kind there is to do, in one statement, since most sweeps find nothing. */
function lookForDue({ database }: Store) {
  const first = (column: Due, withinMs = 0) => selectDue(database, column, withinMs).limit(1);
  return database.read
    .selectNoFrom([
      first('deadline_at').as('deadline'),
      first('lease_until', SOON_MS).as('lease'),
      first('escalate_at').as('escalation'),
      first('reach_due_at').as('reach'),
      first('pickup_due_at').as('pickup'),
      selectReminders(database).limit(1).as('reminder'),
      selectCollectedSecrets(database).limit(1).as('secret'),
    ])
    .executeTakeFirstOrThrow();
}

type Due = keyof typeof ENDS | 'escalate_at' | 'reach_due_at' | 'pickup_due_at';

/** What is due by this column; in its order, or Postgres reads what is not due. */
function selectDue({ read, clock }: Database, column: Due, withinMs = 0) {
  return read
    .selectFrom('inquiries')
    .select('id')
    .where(column === 'pickup_due_at' ? 'collected_at' : 'resolution', 'is', null)
    .where(column, '<=', instant(clock, withinMs))
    .orderBy(column);
}

/** What is open and to ring again for somebody; written as its index is. */
function selectReminders({ read, clock }: Database) {
  return read
    .selectFrom('recipients')
    .select('inquiry_id')
    .where('open', '=', sql.lit(1))
    .where('remind_at', '<=', clock.now())
    .orderBy('remind_at');
}

function selectCollectedSecrets({ read, clock }: Database) {
  return read
    .selectFrom('inquiries')
    .select('id')
    .where('sealed', 'is not', null)
    .where('collected_at', '<=', clock.now() - COLLECTED_SECRETS_MS)
    .orderBy('collected_at');
}

/** One round of all of them. */
export async function sweep(inquiries: Inquiries): Promise<void> {
  for (const job of Object.values(sweepJobs(inquiries))) await job();
}

/** What ends an inquiry by itself, by the column that says when. */
const ENDS = {
  deadline_at: { outcome: asExpired, due: 'after deadline', counts: 'expired' },
  lease_until: { outcome: asAbandoned, due: 'lease over', counts: 'withdrawn' },
} as const;

function resolveDue(
  inquiries: Inquiries,
  failing: Failing,
  column: keyof typeof ENDS,
  behind: () => boolean,
): Promise<boolean> {
  const { database } = inquiries;
  const { outcome, due, counts } = ENDS[column];
  return sweepDue(inquiries, failing, column, async (id) => {
    const resolved = await database.steps(function* () {
      const {
        rows: [row],
      } = yield* batch({ rows: inquiryById(id) });
      // An answer that was read in time may wait for a connection, or behind other transactions; and this process may have
      // stood still since this sweep began, so that one lies unread in its socket. Older ones count for nothing.
      if (!row || isAnswering(inquiries, id)) return undefined;
      if (behind() && (row[column] ?? 0) > database.clock.now() - MOST_WAITED_MS) return undefined;
      return yield* resolve(row, outcome(row), { hub: inquiries, due });
    });
    if (!resolved) return;
    announceResolved(inquiries, resolved);
    inquiries.count(counts);
  });
}

function isAnswering({ answering }: Inquiries, id: string): boolean {
  return answering.values().some(({ inquiryId }) => inquiryId === id);
}

async function sweepReminders(inquiries: Inquiries, failing: Failing): Promise<boolean> {
  const now = inquiries.database.clock.now();
  const resting = failing.resting(now);
  const due = await selectReminders(inquiries.database)
    .$if(resting.length > 0, (rows) => rows.where('inquiry_id', 'not in', resting))
    .limit(BATCH)
    .execute();
  const ids = [...new Set(due.map(({ inquiry_id }) => inquiry_id))];
  await failing.each(ids, now, (id) => remind(inquiries, id));
  return due.length === BATCH;
}

async function sweepDue(
  { database }: Store,
  failing: Failing,
  column: Due,
  work: (id: string) => Promise<void>,
): Promise<boolean> {
  const now = database.clock.now();
  const resting = failing.resting(now);
  const due = await selectDue(database, column)
    .$if(resting.length > 0, (rows) => rows.where('id', 'not in', resting))
    .limit(BATCH)
    .execute();
  await failing.each(idsOf(due), now, work);
  return due.length === BATCH;
}

/** True: there may be more. */
async function eraseCollectedSecrets({ database }: Store): Promise<boolean> {
  const collected = selectCollectedSecrets(database).limit(BATCH);
  const { numUpdatedRows } = await database.transaction((trx) =>
    trx.updateTable('inquiries').set({ sealed: null }).where('id', 'in', collected).executeTakeFirstOrThrow(),
  );
  return Number(numUpdatedRows) === BATCH;
}

/** Forgets inquiries `days` after their resolution, with all that hangs on them; open ones never. Returns how many. */
export function forgetResolved(database: Database, days: number): Promise<number> {
  const now = database.clock.now();
  // What was asked by the Agent Approval Protocol can be read for seven days, and a day after its event was tried last.
  const unless = sql`and (key is null or key not like ${`${AAP_KEY}%`} or resolved_at < ${now - AAP_DAYS * DAY_MS})`;
  const before = now - days * DAY_MS;
  return forget(database, {
    table: 'inquiries',
    column: 'resolved_at',
    before,
    ...(days < AAP_DAYS ? { unless } : {}),
  });
}
