import type { Resolution } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { masked } from '#shared/text.ts';
import { textOf } from '#shared/texts/outcomes.ts';
import type { DeliveryType } from '../deliveries/answer-body.ts';
import { iso } from '../platform/clock.ts';
import { batch, commitWith, keys, statement, type Statement, type Steps } from '../platform/steps.ts';
import { reachOfOne } from '../deliveries/inquiry-devices.ts';
import { enqueueWebhook } from '../deliveries/enqueue.ts';
import { wantWithdrawn } from '../deliveries/push/want.ts';
import type { PersonVersion } from './announce.ts';
import type { Closing, Resolving } from './inquiries.ts';
import { askIdOf, firstOf, inquiriesOfAsk, NOBODY, sourceView, toldOf, wordingOf, type InquiryRow } from './store.ts';
import { closeRecipients, lockPeople, raised, raiseRecipients } from './versions.ts';
import type { ResolvedHere } from './waiters.ts';

export type Resolved = {
  inquiryId: string;
  resolution: Resolution;
  versions: PersonVersion[];
  /** Devices to which a withdraw is to be pushed. */
  pushes: number;
  /** Webhooks that are due now. */
  webhooks: number;
  resolvedHere?: ResolvedHere | undefined;
};

export type ResolveOptions = {
  hub: Resolving;
  /** The instant that is stored; what is due is judged by the clock. */
  now?: number | undefined;
  due: keyof typeof decide;
  /** So long before this moment it still has to be before the deadline. */
  waitedMs?: number;
  sealed?: string | null;
  /** Written with it, before anybody's `recipients` are closed. */
  also?: (resolution: Resolution) => Statement[];
  /** Whether a call waits for it on this node. */
  awaited?: boolean;
};

/** Whoever waits has an answer at once, or comes back for it within so long. */
export const PICKUP_MS = 10_000;
/** The database server's own clock where there is one, so that a wrong clock of this machine decides nothing. */
const at = '(coalesce(cast(?6 as bigint), {now}) - cast(?7 as bigint))';
const decideIf = (condition: string) =>
  statement<Pick<InquiryRow, 'revision' | 'deadline_at' | 'latest_at' | 'source_revoked_at'>>(
    `update inquiries set outcome = ?2, resolution = ?3, resolved_at = ?4, sealed = ?5, lease_until = null,
      reach_due_at = null, revision = revision + 1, pickup_due_at =
        case when awaited = 1 and cast(?2 as text) in ('answered', 'declined') then cast(?4 as bigint) + ${PICKUP_MS} end
    where id = ?1 and resolution is null and ${condition} returning revision, deadline_at, latest_at,
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
 * (RES1). Returns undefined, and changes nothing, when the inquiry is resolved already or `due` does not hold at this moment.
 */
export function* resolve(row: InquiryRow, outcome: Outcome, options: ResolveOptions): Steps<Resolved | undefined> {
  if (tellsSource(row)) {
    const ending = yield* beginResolve(row, outcome, options);
    if (!ending) return undefined;
    const { raised: versions } = yield* commitWith(finish(ending));
    return resolvedBy(ending, versions);
  }
  const { resolution, shown, statements } = deciding(row, outcome, options);
  const ending = { inquiryId: row.id, resolution: shown, also: options.also?.(shown) ?? [] };
  // A secret answer is opened where it is read, and whoever was revoked is told nothing.
  const reached = options.awaited && !options.sealed ? reachOfOne(row.id) : undefined;
  const {
    changed: [changed],
    flipped,
    raised: versions,
    reached: [reach],
  } = yield* commitWith({ ...statements, ...finish(ending), reached });
  if (!changed) return undefined;
  const { revision, deadline_at, latest_at } = changed;
  const times = { revision, deadlineAt: iso(deadline_at), latestAt: iso(latest_at) };
  return {
    ...resolvedBy({ ...ending, flipped }, versions),
    resolvedHere:
      reach && changed.source_revoked_at === null
        ? { ...times, state: resolution.outcome, resolution, reach: { ...reach } }
        : undefined,
  };
}

/** A resolution that has won in a transaction which goes on, and whose last step has to hold `finish` of it. */
export type Ending = {
  inquiryId: string;
  resolution: Resolution;
  flipped: { wanted: string }[];
  webhooks: number;
  also: Statement[];
};

/** As `resolve`, as a part of a transaction that goes on. */
export function* beginResolve(row: InquiryRow, outcome: Outcome, options: ResolveOptions): Steps<Ending | undefined> {
  // Where a webhook tells the reply to an ask, its inquiries are resolved one after the other: the last one sees the rest.
  if (row.ask_id !== null && tellsSource(row)) yield* batch({ locked: lockFirst(firstOf(row.ask_id)) });
  const { resolution, shown, now, statements } = deciding(row, outcome, options);
  const {
    changed: [changed],
    flipped,
  } = yield* batch(statements);
  if (!changed) return undefined;
  const current = { ...row, ...changed, resolution: JSON.stringify(resolution), sealed: options.sealed ?? null };
  const reply = tellsSource(row) ? yield* replyOf(current, options.hub) : undefined;
  const webhooks = yield* notifySource(current, 'inquiry.resolved', resolution, now, { reply });
  const also = [...(options.also?.(shown) ?? []), ...webhooks];
  return { inquiryId: row.id, resolution: shown, flipped, webhooks: webhooks.length, also };
}

/** The last statements of a resolution; `raised` returns the counters of those who were asked. `people` are locked too. */
export function finish({ inquiryId, also }: Pick<Ending, 'inquiryId' | 'also'>, people = keys([])) {
  return {
    locks: lockPeople(people, inquiryId),
    raised: raiseRecipients(inquiryId),
    also,
    closed: closeRecipients(inquiryId),
  };
}

export function resolvedBy(
  {
    inquiryId,
    resolution,
    flipped,
    webhooks = 0,
  }: Pick<Ending, 'inquiryId' | 'resolution' | 'flipped'> & Partial<Ending>,
  versions: Parameters<typeof raised>[0],
): Resolved {
  const pushes = flipped.filter(({ wanted }) => wanted === 'withdraw').length;
  return { inquiryId, resolution, versions: raised(versions), pushes, webhooks };
}

type Outcome = Omit<Resolution, 'at' | 'text' | 'note'>;

function deciding(
  row: InquiryRow,
  outcome: Outcome,
  { hub, now = hub.database.clock.now(), due, waitedMs = 0, sealed = null }: ResolveOptions,
) {
  const { clock } = hub.database;
  const deadlineAt = iso(row.deadline_at);
  const asked = toldOf(row);
  const words = textOf({ asked, resolution: outcome, deadlineAt, ...wordingOf(row) });
  const resolution: Resolution = { ...outcome, at: iso(now), ...words };
  const shown = masked(resolution, asked.actions);
  const judgedAt = clock.inStatement ? null : clock.now();
  const statements = {
    changed: decide[due](row.id, outcome.outcome, JSON.stringify(resolution), now, sealed, judgedAt, waitedMs),
    drafts: dropDrafts(row.id),
    flipped: wantWithdrawn({ subjectId: row.id, now, expired: outcome.outcome === 'expired' }),
    proposals: hub.settling.drop(row.id),
  };
  return { resolution, shown, now, statements };
}

const lockFirst = statement('select id from inquiries where id = ?1 for no key update');

/** The reply to what a framework asked, once all of it is resolved. Secret answers go out by no webhook. */
export function* replyOf(row: InquiryRow, { composeReply }: Resolving): Steps<object | undefined> {
  if (row.ask_id === null && row.kept === null) return undefined;
  const rows = row.ask_id === null ? [row] : (yield* batch({ rows: inquiriesOfAsk(row.ask_id) })).rows;
  const [first] = rows;
  if (!first?.kept || rows.some(({ resolution, sealed }) => resolution === null || sealed !== null)) return undefined;
  const inquiries = rows.map((one) => sourceView(one, { reach: NOBODY }));
  const { name: dialect } = inquiries[0]?.dialect ?? {};
  return { ask: askIdOf(first), dialect, body: composeReply(dialect, first.kept, inquiries) };
}

function callbackOf(row: InquiryRow): string | undefined {
  return (JSON.parse(row.transport) as Inquiry).callback?.url;
}

/** Whether anybody is told by a webhook what becomes of this inquiry. */
export function tellsSource(row: InquiryRow): boolean {
  return row.source_webhook_url !== null || callbackOf(row) !== undefined;
}

/** What writes down a webhook with the inquiry's present state for its source and its own callback (DLV1), one statement each. */
export function* notifySource(
  row: InquiryRow,
  type: DeliveryType,
  resolution: Resolution | undefined,
  now: number,
  { late, reply }: Pick<Parameters<typeof sourceView>[1], 'late'> & { reply?: object | undefined } = {},
): Steps<Statement[]> {
  if (!tellsSource(row)) return [];
  return yield* enqueueWebhook({
    sourceId: row.source_id,
    inquiryId: row.id,
    type,
    at: now,
    callbackUrl: callbackOf(row),
    data: (reach) => sourceView(row, { reach, resolution, late }),
    reply,
  });
}

/** Tells everybody what was committed; `screen` is the socket that answered, which keeps its own screen. */
export function announceResolved(inquiries: Closing, resolved: Resolved, screen?: string): void {
  const { pushes, webhooks, resolvedHere, ...news } = resolved;
  inquiries.announce.withdraw({ ...news, spare: screen });
  if (resolvedHere) inquiries.waiters.hand(resolved.inquiryId, resolvedHere);
  inquiries.signals.publish(resolved.inquiryId);
  // Looking for nothing costs a transaction of its own.
  if (webhooks > 0) inquiries.wakeDeliveries();
  if (pushes > 0) inquiries.wakePushes();
}
