import { DEVICE_MARGIN_MS } from '#shared/live.ts';
import { undecidable, type Decider, type Proposal, type SourceDecider } from '#shared/policies/decider.ts';
import { AppError } from '#shared/problem.ts';
import type { Transaction } from '../../platform/database.ts';
import { newProposal, type AskedBy } from './proposals.ts';
import { givesUpAt } from './times.ts';
import type { Deciding } from './deciding.ts';
import type { Answerer } from '../../inquiries/answerer.ts';
import { alreadyResolved, parseWhole, readAsRecipient, type InquiryRow } from '../../inquiries/store.ts';
import { changeProposal, mayDecide, type Change, type Found } from './change.ts';
import { begun, dismissed, dueNow, sentNow, stopped } from './steps.ts';

/**
 * Hands an inquiry to the decider of its source. What it proposes is shown for the hold time before it counts; with
 * `declines`, this person has declined where nothing comes of it. What is on its way to a decision stays. Throws 404 for
 * whoever was not asked, 409 where it is resolved, too late, or nothing that a decider may decide.
 */
export async function handToDecider(
  inquiries: Deciding,
  answerer: Answerer,
  inquiryId: string,
  declines?: { message?: string | undefined },
): Promise<Proposal> {
  const { database } = inquiries;
  const inquiry = await readAsRecipient(database, inquiryId, answerer.personId);
  const { own, source } = await mayDecide(database.read, undefined, inquiry);
  if (!own) throw toRefusal(inquiry, source);
  const stands = (trx: Transaction) => standingFor(trx, inquiryId, { own, now: database.clock.now() });
  const why = declines ? ('instead of declining' as const) : ('asked' as const);
  const asked_by = JSON.stringify({ ...toAskedBy(answerer), ...declines });
  const hand = (found: Found) => handed(found, { why, asked_by });
  const proposal = await changeProposal(inquiries, { inquiryId }, hand, stands);
  if (!proposal) throw alreadyResolved(await readAsRecipient(database, inquiryId, answerer.personId), OVER);
  inquiries.wakeDeciders();
  return proposal;
}

const OVER = 'No decider can decide it any more: it is resolved, or its deadline is less than two seconds away.';

const HELD = 'Its decider has decided, which is shown for the hold time: stop that first, or decline it yourself.';

function handed(found: Found, more: { why: 'asked' | 'instead of declining'; asked_by: string }): Change | undefined {
  const { row, own, inquiry, now } = found;
  if (!own || inquiry.deadline_at - DEVICE_MARGIN_MS <= now) throw alreadyResolved(inquiry, OVER);
  const again = row.why === more.why && row.asked_by === more.asked_by;
  if (row.decides_at !== null && more.why !== 'asked' && !again) throw new AppError(409, 'proposal.held', HELD);
  // What a rule gave to a decider, or what another one does, is not what this person asks for.
  const other = row.rule !== null || row.decider_id !== own.id || (row.asked_by !== null && !found.maySpeak);
  if (row.decides_at !== null && !other) return undefined;
  if (row.state !== 'waiting' || other) return begun(found, own, more);
  if (row.why !== 'suggested' && more.why === 'asked') return undefined;
  return { set: { ...more, gives_up_at: givesUpAt(inquiry.deadline_at, own.timeoutSeconds, now) } };
}

/** Of a proposal that this person is shown: kept from deciding, sent now, or put away. 404 for everybody else. */
export async function overrule(
  inquiries: Deciding,
  answerer: Answerer,
  id: string,
  what: 'stop' | 'now' | 'dismiss',
): Promise<Proposal | undefined> {
  const shown = await inquiries.database.read
    .selectFrom('proposals')
    .innerJoin('recipients', 'recipients.inquiry_id', 'proposals.inquiry_id')
    .select('proposals.id')
    .where('proposals.id', '=', id)
    .where('person_id', '=', answerer.personId)
    .where('state', '<>', 'planned')
    .executeTakeFirst();
  if (!shown) throw new AppError(404, 'proposal.unknown', 'There is no such proposal for you, or it is gone.');
  const changed = await changeProposal(inquiries, id, (found) => {
    if (what === 'dismiss') return dismissed(found);
    if (what === 'stop')
      return found.row.state === 'waiting' || found.row.decides_at !== null ? stopped(found) : undefined;
    if (!found.decider || found.row.answer === null) throw new AppError(409, 'proposal.not_ready', NOT_READY);
    return sentNow(found, found.decider, JSON.stringify(toAskedBy(answerer)));
  });
  if (what === 'now') await changeProposal(inquiries, id, dueNow);
  return changed;
}

const NOT_READY = 'It has no answer that its decider may send: answer it yourself, or wait for one.';

function toAskedBy({ handle, deviceId, deviceName, via }: Answerer): AskedBy {
  return { handle, device: { id: deviceId, name: deviceName }, via };
}

/** Nothing that shows stands for an inquiry where nothing did: what is to be changed. */
async function standingFor(trx: Transaction, inquiryId: string, { own, now }: { own: Decider; now: number }) {
  const row = { ...newProposal(inquiryId, { decider: own, why: 'asked', now }), state: 'planned', due_at: null };
  await trx
    .insertInto('proposals')
    .values(row)
    .onConflict((conflict) => conflict.column('inquiry_id').doNothing())
    .execute();
}

function toRefusal(inquiry: InquiryRow, source: SourceDecider | undefined): AppError {
  const never = undecidable(parseWhole(inquiry), { actions: source?.actions ?? false });
  if (!source)
    return new AppError(
      409,
      'inquiry.no_decider',
      'No decider acts for this source: the owner of the hub chooses one for it.',
    );
  return new AppError(
    409,
    'inquiry.undecidable',
    never === undefined
      ? 'Its decider is turned off or gone.'
      : `No decider decides this (${never}): answer it yourself.`,
  );
}
