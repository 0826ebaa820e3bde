import type { Resolution } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { undecidable, type Decider, type Proposal, type SourceDecider } from '#shared/policies/decider.ts';
import type { Transaction } from '../../platform/database.ts';
import { batch, statement, within, type Steps } from '../../platform/steps.ts';
import { toDecider } from './config/store.ts';
import { holdLists, stillStands } from '../rules/lists.ts';
import { countSettled, isYolo } from '../yolo/store.ts';
import type { PersonVersion } from '../../inquiries/announce.ts';
import { readSourceDecider } from './delegation.ts';
import { readByRule, toProposal, type AskedBy, type ByRule, type ProposalRow } from './proposals.ts';
import type { Deciding } from './deciding.ts';
import type { Store, Closing } from '../../inquiries/inquiries.ts';
import { announceResolved, resolve, type Resolved } from '../../inquiries/resolve.ts';
import { parseWhole, deviceView, inquiryById, readIn, type InquiryRow } from '../../inquiries/store.ts';
import { raiseVersions, readRecipients } from '../../inquiries/versions.ts';
import { RINGS_AGAIN_MS } from '../../deliveries/push/remind.ts';
import { wantShown } from '../../deliveries/push/want.ts';
import { REACH_MS } from '../../inquiries/reach.ts';
import { readReach } from '../../deliveries/inquiry-devices.ts';

/** An open inquiry and what stands for it, held until the transaction ends. */
export type Found = {
  row: ProposalRow;
  inquiry: InquiryRow;
  /** The decider of this proposal, while it may decide. */
  decider: Decider | undefined;
  /** The one that the owner chose for the source, while it may decide this. */
  own: Decider | undefined;
  now: number;
  /** The device on which it was handed over may still speak for its person. */
  maySpeak: boolean;
  /** The instant by which what is due is judged; null: the database server's own. */
  judgedAt: number | null;
};
export type Change =
  /** Where it takes a rule away, people are asked as always from now on: they are notified. */
  | { set: Partial<ProposalRow>; silently?: boolean }
  | { resolves: Omit<Resolution, 'at' | 'text'>; byRule?: ByRule | undefined };
type Told = {
  proposal?: Proposal | undefined;
  versions: PersonVersion[];
  view?: Inquiry | undefined;
  pushes: number;
  resolved?: Resolved | undefined;
};

/**
 * Changes what stands for an inquiry, one change after the other on all nodes, and tells devices after the commit.
 * Returns what stands there now; undefined where nothing does any more. `also` is written in any case, and before.
 */
export async function changeProposal(
  inquiries: Deciding,
  which: string | { inquiryId: string },
  change: (found: Found, trx: Transaction) => Change | undefined | Promise<Change | undefined>,
  also?: (trx: Transaction) => Promise<void>,
): Promise<Proposal | undefined> {
  const { database } = inquiries;
  const changed = await database.transaction(async (trx): Promise<{ row: ProposalRow; told?: Told } | undefined> => {
    await also?.(trx);
    const found = await hold(inquiries, trx, which);
    if (!found) return undefined;
    const made = await change(found, trx);
    if (!made) return { row: found.row };
    if ('resolves' in made) return { row: found.row, told: await settle(inquiries, trx, found, made) };
    const row = { ...found.row, ...made.set };
    await trx.updateTable('proposals').set(made.set).where('id', '=', found.row.id).execute();
    return { row, ...(made.silently ? {} : { told: await toNews(trx, found, row) }) };
  });
  if (!changed) return undefined;
  if (changed.told) tell(inquiries, changed.row.inquiry_id, changed.told);
  return changed.told?.resolved ? undefined : toProposal(changed.row);
}

/** With the first one of its ask, which a resolution locks too: in the same order as whoever resolves that one. */
const lockInquiry = statement(
  `select id from inquiries where id in (?1, (select 'inq' || substr(ask_id, 4) from inquiries where id = ?1))
  order by id for no key update`,
);

async function hold(
  { database }: Store,
  trx: Transaction,
  which: string | { inquiryId: string },
): Promise<Found | undefined> {
  const all = trx.updateTable('proposals').set(({ ref }) => ({ at: ref('at') }));
  const held = typeof which === 'string' ? all.where('id', '=', which) : all.where('inquiry_id', '=', which.inquiryId);
  const row = (await held.returningAll().executeTakeFirst()) as ProposalRow | undefined;
  if (!row) return undefined;
  // Before the inquiry, as whoever settles by a rule takes it before all that it changes.
  if (row.rule !== null) await within(trx, batch({ held: holdLists() }));
  // Whoever answers now comes before or after this as a whole.
  await within(trx, batch({ locked: lockInquiry(row.inquiry_id) }));
  const inquiry = await within(trx, readIn(inquiryById(row.inquiry_id)));
  if (inquiry.resolution !== null) {
    await trx.deleteFrom('proposals').where('id', '=', row.id).execute();
    return undefined;
  }
  const now = Math.floor(database.clock.now());
  const judgedAt = database.clock.inStatement ? null : now;
  const maySpeak = await isThere(trx, row);
  const may = await mayDecide(trx, row, inquiry, now);
  // What a device handed over counts only while that device is signed in.
  const decider = row.asked_by === null || maySpeak ? may.decider : undefined;
  return { row, inquiry, ...may, decider, now, maySpeak, judgedAt };
}

async function isThere(trx: Transaction, { asked_by }: ProposalRow): Promise<boolean> {
  if (asked_by === null) return false;
  const { device } = JSON.parse(asked_by) as AskedBy;
  const devices = trx.selectFrom('devices').select('id').where('id', '=', device.id).where('revoked_at', 'is', null);
  return (await devices.executeTakeFirst()) !== undefined;
}

/** Which deciders may decide this now: whoever chose or allowed one may have taken that back. */
export async function mayDecide(
  read: Pick<Transaction, 'selectFrom'>,
  row: Pick<ProposalRow, 'decider_id' | 'rule'> | undefined,
  inquiry: InquiryRow,
  now = 0,
): Promise<{ decider: Decider | undefined; own: Decider | undefined; source: SourceDecider | undefined }> {
  const found = await read
    .selectFrom('sources')
    .select('decider')
    .where('id', '=', inquiry.source_id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  const source = readSourceDecider(found?.decider ?? null);
  if (!found || undecidable(parseWhole(inquiry), { actions: source?.actions ?? false }))
    return { decider: undefined, own: undefined, source };
  const rows = await read
    .selectFrom('deciders')
    .selectAll()
    .where('id', 'in', [row?.decider_id ?? '', source?.id ?? ''])
    .execute();
  const deciders = rows.map(toDecider).filter(({ off }) => !off);
  const own = deciders.find(({ id }) => id === source?.id);
  const byRule = row && readByRule(row);
  if (byRule && !(await stands(read, byRule, inquiry.id, now))) return { decider: undefined, own, source };
  const decider = byRule ? deciders.find(({ id }) => id === row.decider_id) : own;
  return { decider: decider?.id === row?.decider_id ? decider : undefined, own, source };
}

// Whoever takes a rule away, or stops YOLO, while its decider is asked or what it says is held, is heard.
async function stands(read: Pick<Transaction, 'selectFrom'>, { id }: ByRule, inquiryId: string, now: number) {
  const asked = read.selectFrom('recipients').select('person_id').where('inquiry_id', '=', inquiryId);
  // The rule was looked at when it was asked: those of whom an escalation asks have none in it.
  const people = await asked.where('asked_at', 'is', null).execute();
  return stillStands(read, id, { personIds: people.map((one) => one.person_id), now });
}

async function settle(
  inquiries: Closing,
  trx: Transaction,
  { row, inquiry }: Found,
  { resolves, byRule }: Extract<Change, { resolves: unknown }>,
): Promise<Told> {
  const resolved = await within(trx, resolve(inquiry, resolves, { hub: inquiries, due: 'while asked' }));
  await trx.deleteFrom('proposals').where('id', '=', row.id).execute();
  if (resolved && byRule) {
    const rule = JSON.stringify(byRule.rule);
    await trx.updateTable('inquiries').set({ rule }).where('id', '=', inquiry.id).execute();
    if (isYolo(byRule.id)) await within(trx, batch({ counted: countSettled(byRule.id, 1) }));
  }
  return { versions: [], pushes: 0, resolved };
}

async function toNews(trx: Transaction, { row: before, inquiry, now }: Found, row: ProposalRow): Promise<Told> {
  const notifies = before.rule !== null && row.rule === null;
  const pushes = notifies ? await within(trx, notify(inquiry, now)) : 0;
  const versions = await within(trx, raiseVersions(inquiry.id));
  const reach = notifies ? (await readReach(trx, [inquiry.id]))(inquiry.id) : undefined;
  return { proposal: toProposal(row), versions, pushes, view: reach && deviceView(inquiry, { reach }) };
}

function tell(inquiries: Deciding, inquiryId: string, { proposal, versions, view, pushes, resolved }: Told): void {
  if (resolved) {
    announceResolved(inquiries, resolved);
    inquiries.count(resolved.resolution.by.kind === 'decider' ? 'decided' : 'declined');
    return;
  }
  if (view) inquiries.announce.inquiry({ inquiry: view, versions });
  inquiries.announce.proposal({ inquiryId, proposal, versions });
  if (pushes > 0) inquiries.wakePushes();
}

const tellSubscribed = statement(
  `update inquiry_devices set told_at = ?2 where inquiry_id = ?1 and told_at is null
  and exists (select 1 from subscriptions where subscriptions.device_id = inquiry_devices.device_id and trouble is null)`,
);
const ringAgain = statement(
  `update recipients set remind_at = cast(?2 as bigint) + (select ${RINGS_AGAIN_MS} from people where people.id = person_id)
  where inquiry_id = ?1 and open = 1 and later = 0`,
);
const awaitReach = statement('update inquiries set reach_due_at = ?2 where id = ?1 and resolution is null');

/** Wakes those who were asked quietly, as if they were asked now: nobody decides in their place. Returns how many pushes. */
export function* notify({ id, deadline_at: giveUpAt }: InquiryRow, now: number): Steps<number> {
  const personIds = yield* readRecipients(id);
  const { pushes } = yield* batch({
    pushes: wantShown({ subjectId: id, personIds, giveUpAt, now }),
    told: tellSubscribed(id, now),
    again: ringAgain(id, now),
    awaited: awaitReach(id, now + REACH_MS),
  });
  return pushes.length;
}
