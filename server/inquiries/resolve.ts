import type { Resolution } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { saysYes } from '#shared/says-yes.ts';
import { masked } from '#shared/text.ts';
import { writeOutcome } from '#shared/texts/outcomes.ts';
import type { DeliveryType } from '../deliveries/answer-body.ts';
import { iso } from '../platform/clock.ts';
import { invariant } from '../platform/invariants.ts';
import { batch, commitWith, statement, type Statement, type Steps } from '../platform/steps.ts';
import { readStored, viewUndamaged } from '../platform/stored.ts';
import { NOBODY, reachOf, toReach } from '../deliveries/inquiry-devices.ts';
import { enqueueWebhook } from '../deliveries/enqueue.ts';
import { wantWithdrawn } from '../deliveries/push/want.ts';
import type { PersonVersion } from './announce.ts';
import { handsWanted, parseApproved, readHands, refuseTooFew, viewApproved } from './approved.ts';
import { refuseUnproved } from './assured.ts';
import type { Closing, Resolving } from './inquiries.ts';
import {
  toAskId,
  toFirstId,
  inquiriesOfAsk,
  lockInquiry,
  sourceView,
  parseExactAsked,
  parseWording,
  readAskedOf,
  viewAskedOf,
  type InquiryRow,
} from './store.ts';
import { holdsUntil } from './validity.ts';
import { closeRecipients, lockPeople, raised, raiseRecipients } from './versions.ts';
import type { ResolvedHere } from './waiters.ts';

/** An inquiry that has just ended. */
export type Resolved = {
  inquiryId: string;
  resolution: Resolution;
  /** Empty until the last step of its transaction. */
  versions: PersonVersion[];
  /** Devices to which a withdraw is to be pushed. */
  pushes: number;
  /** Webhooks that are due now. */
  webhooks: number;
  resolvedHere?: ResolvedHere | undefined;
  /** What its last step writes beside the rest of `finish`. */
  last: Statement[];
};

export type ResolveOptions = {
  hub: Resolving;
  /** The instant that is stored; what is due is judged by the clock. */
  now?: number;
  due?: keyof typeof decide;
  /** So long before this moment it still has to be before the deadline. */
  waitedMs?: number;
  sealed?: string | null;
  /** Where several people have to approve: all of them, as it is stored (APR4). */
  approved?: string | undefined;
  /** Written with it, before anybody's `recipients` are closed. */
  also?: (resolution: Resolution) => Statement[];
  /** Whether a call waits for it on this node. */
  awaited?: boolean;
  /** The transaction goes on; its last step has to hold `finish` of what is returned. */
  goesOn?: boolean;
};

/** Whoever waits has an answer at once, or comes back for it within so long. */
const PICKUP_MS = 10_000;
/** The database server's own clock where there is one, so that a wrong clock of this machine decides nothing. */
const at = '(coalesce(cast(?6 as bigint), {now}) - cast(?7 as bigint))';
const decideIf = (condition: string) =>
  statement<
    Pick<InquiryRow, 'revision' | 'deadline_at' | 'latest_at' | 'escalated' | 'approved' | 'source_revoked_at'>
  >(
    `update inquiries set outcome = ?2, resolution = ?3, resolved_at = ?4, sealed = ?5, lease_until = null,
      reach_due_at = null, revision = revision + 1, approved = coalesce(cast(?8 as text), approved), pickup_due_at =
        case when awaited = 1 and cast(?2 as text) in ('answered', 'declined') then cast(?4 as bigint) + ${PICKUP_MS} end
    where id = ?1 and resolution is null and ${condition} returning revision, deadline_at, latest_at, escalated, approved,
      (select revoked_at from sources where sources.id = source_id) as source_revoked_at`,
  );
/** One update decides who wins (RES1); what is due is part of it. */
const decide = {
  'before deadline': decideIf(`deadline_at > ${at}`),
  // Nobody is left who would pick an answer up once the lease of whoever asked is over.
  'while asked': decideIf(`deadline_at > ${at} and (lease_until is null or lease_until > ${at})`),
  'after deadline': decideIf(`deadline_at <= ${at}`),
  'lease over': decideIf(`deadline_at > ${at} and lease_until <= ${at}`),
  'any time': decideIf(`${at} is not null`),
};
const dropDrafts = statement(
  'delete from drafts where inquiry_id = ?1 and not exists (select 1 from inquiries where id = ?1 and resolution is null)',
);

/**
 * Makes a resolution the one final state of an inquiry, with everything that follows from it in the
 * same transaction: recipients closed, counters raised, drafts and proposals gone, pushes withdrawn, webhooks enqueued
 * (RES1). Returns undefined, and changes nothing, when the inquiry is resolved already or `due`, by default "before
 * deadline", does not hold at this moment.
 */
export function* resolve(row: InquiryRow, outcome: Outcome, options: ResolveOptions): Steps<Resolved | undefined> {
  const { hub, due = 'before deadline', waitedMs = 0, sealed = null, goesOn = false } = options;
  const { clock } = hub.database;
  const { now = clock.now() } = options;
  refuseUnproved(row, outcome);
  refuseTooFew(row, outcome, options.approved ?? null);
  const tells = notifiesSource(row);
  // Where a webhook tells the reply to an ask, its inquiries are resolved one after the other: the last one sees the rest.
  if (row.ask_id !== null && tells) yield* batch({ locked: lockInquiry(toFirstId(row.ask_id)) });
  const asked = parseExactAsked(row);
  const told = {
    asked,
    resolution: outcome,
    deadlineAt: iso(row.deadline_at),
    askedOf: readAskedOf(row),
    hands: readHands(row),
  };
  const words = writeOutcome({ ...told, ...parseWording(row) });
  const resolution: Resolution = { ...outcome, at: iso(now), ...holdsUntil(row, outcome, now), ...words };
  const shown = masked(resolution, asked.actions);
  const judgedAt = clock.inStatement ? null : clock.now();
  const last = options.also?.(shown) ?? [];
  // Without a webhook nothing has to be known before the last step.
  const atOnce = !tells && !goesOn;
  // A secret answer is opened where it is read, and whoever was revoked is told nothing.
  const hands = atOnce && options.awaited && sealed === null;
  const step = atOnce ? commitWith : batch;
  const {
    changed: all,
    flipped,
    raised: versions,
    reached: [reach],
  } = yield* step({
    changed: decide[due](
      row.id,
      outcome.outcome,
      JSON.stringify(resolution),
      now,
      sealed,
      judgedAt,
      waitedMs,
      options.approved ?? null,
    ),
    drafts: dropDrafts(row.id),
    flipped: wantWithdrawn({ subjectId: row.id, now, expired: outcome.outcome === 'expired' }),
    proposals: hub.settling.drop(row.id),
    ...(atOnce ? finish({ inquiryId: row.id, last }) : NOTHING),
    reached: hands ? reachOf(row.id) : undefined,
  });
  const [changed] = all;
  if (!changed) return undefined;
  watch(row, outcome, changed, { due, rows: all.length, judged: judgedAt && judgedAt - waitedMs });
  const pushes = flipped.filter(({ wanted }) => wanted === 'withdraw').length;
  const resolved = { inquiryId: row.id, resolution: shown, versions: raised(versions), pushes, webhooks: 0, last };
  if (atOnce) {
    const { revision, deadline_at, latest_at, escalated, source_revoked_at, approved } = changed;
    const moved = { revision, deadlineAt: iso(deadline_at), latestAt: iso(latest_at) };
    const times = { ...moved, ...viewAskedOf({ asked_of: row.asked_of, escalated }), ...viewApproved({ approved }) };
    const known = { ...times, state: resolution.outcome, resolution, reach: toReach(reach) };
    return { ...resolved, resolvedHere: hands && source_revoked_at === null ? known : undefined };
  }
  const current = { ...row, ...changed, resolution: JSON.stringify(resolution), sealed };
  const reply = tells ? yield* makeReply(current, hub) : undefined;
  const webhooks = yield* notifySource(current, 'inquiry.resolved', resolution, now, { reply });
  const ended = { ...resolved, webhooks: webhooks.length, last: [...last, ...webhooks] };
  return goesOn ? ended : finished(ended, (yield* commitWith(finish(ended))).raised);
}

/** What every resolution leaves behind, as far as its own step tells. */
function watch(
  row: InquiryRow,
  outcome: Outcome,
  { deadline_at, approved }: Pick<InquiryRow, 'deadline_at' | 'approved'>,
  { due, rows, judged }: { due: keyof typeof decide; rows: number; judged: number | null },
): void {
  invariant('resolved_once', rows === 1, row.id);
  if (judged !== null && due !== 'any time')
    invariant('in_time', deadline_at <= judged === (outcome.outcome === 'expired'), row.id);
  if (!saysYes({ outcome: outcome.outcome, content: outcome.answer })) return;
  const people = new Set(parseApproved({ approved })?.hands.map(({ by }) => by.personId));
  invariant('enough_hands', people.size >= handsWanted(row), row.id);
}

/** The last statements of a resolution; `raised` returns the counters of those who were asked. `people` are locked too. */
export function finish({ inquiryId, last }: Pick<Resolved, 'inquiryId' | 'last'>, people: string[] = []) {
  return {
    locks: lockPeople(people, inquiryId),
    raised: raiseRecipients(inquiryId),
    last,
    closed: closeRecipients(inquiryId),
  };
}

const NOTHING = { locks: undefined, raised: undefined, last: undefined, closed: undefined };

/** A resolution whose transaction went on, after its last step. */
export function finished(resolved: Resolved, versions: Parameters<typeof raised>[0]): Resolved {
  return { ...resolved, versions: raised(versions) };
}

type Outcome = Omit<Resolution, 'at' | 'validUntil' | 'text' | 'note'>;

/** The reply to what a framework asked, once all of it is resolved. Secret answers go out by no webhook. */
export function* makeReply(row: InquiryRow, { composeReply }: Resolving): Steps<object | undefined> {
  if (row.ask_id === null && row.kept === null) return undefined;
  const rows = row.ask_id === null ? [row] : (yield* batch({ rows: inquiriesOfAsk(row.ask_id) })).rows;
  const [first] = rows;
  if (!first?.kept || rows.some(({ resolution, sealed }) => resolution === null || sealed !== null)) return undefined;
  // Without the words of a damaged one there is no reply, and the others end all the same.
  const inquiries = rows.flatMap((one) => viewUndamaged(one, () => sourceView(one, { reach: NOBODY })) ?? []);
  if (inquiries.length < rows.length) return undefined;
  const { name: dialect } = inquiries[0]?.dialect ?? {};
  return { ask: toAskId(first), dialect, body: composeReply(dialect, first.kept, inquiries) };
}

function readCallback(row: InquiryRow): string | undefined {
  return readStored<Inquiry>(row.transport).callback?.url;
}

/** Whether anybody may have to be told what becomes of this inquiry. */
export function notifiesSource(row: InquiryRow): boolean {
  return row.source_webhook_url !== null || row.source_subscribed === 1 || readCallback(row) !== undefined;
}

/** What writes down a webhook with the inquiry's present state for its source and its own callback (DLV1), one statement each. */
export function* notifySource(
  row: InquiryRow,
  type: DeliveryType,
  resolution: Resolution | undefined,
  now: number,
  { late, reply }: Pick<Parameters<typeof sourceView>[1], 'late'> & { reply?: object | undefined } = {},
): Steps<Statement[]> {
  if (!notifiesSource(row)) return [];
  return yield* enqueueWebhook({
    sourceId: row.source_id,
    inquiryId: row.id,
    type,
    at: now,
    state: resolution?.outcome ?? (row.outcome as Inquiry['state'] | null) ?? 'open',
    subscribed: row.source_subscribed === 1,
    callbackUrl: readCallback(row),
    data: (reach) => sourceView(row, { reach, resolution, late }),
    reply,
  });
}

/** Tells everybody what was committed; `screen` is the socket that answered, which keeps its own screen. */
export function announceResolved(inquiries: Closing, resolved: Resolved, screen?: string): void {
  const { pushes, webhooks, resolvedHere, last: _written, ...news } = resolved;
  const { outcome, by } = resolved.resolution;
  inquiries.note('resolved', { inquiry: resolved.inquiryId, outcome, by: by.kind });
  inquiries.announce.withdraw({ ...news, spare: screen });
  if (resolvedHere) inquiries.waiters.hand(resolved.inquiryId, resolvedHere);
  inquiries.signals.publish(resolved.inquiryId);
  // Looking for nothing costs a transaction of its own.
  if (webhooks > 0) inquiries.wakeDeliveries();
  if (pushes > 0) inquiries.wakePushes();
}
