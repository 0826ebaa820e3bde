import { hash } from 'node:crypto';
import type { Ask, Asked, Inquiry } from '#shared/inquiry.ts';
import { newId } from '#shared/ids.ts';
import { canonical, definedOf } from '#shared/json.ts';
import { invalid } from '#shared/faults.ts';
import { AppError } from '#shared/problem.ts';
import { wantShown } from '../deliveries/push/want.ts';
import { tell } from '../deliveries/inquiry-devices.ts';
import { HOUR_MS, type Clock } from '../platform/clock.ts';
import { isUniqueViolation } from '../platform/database.ts';
import { keys, lastly, statement, together, type Statement, type Steps } from '../platform/steps.ts';
import { namedBy, recipientsOf, type Recipients } from '../sources/recipients.ts';
import { askFaults, timesOf, titleOf, type Times } from './check.ts';
import { takeWarning } from './expire.ts';
import type { Inquiries, PersonVersion } from './inquiries.ts';
import { leaseEnd, takeLease } from './lease.ts';
import {
  announceResolved,
  beginResolve,
  finish,
  notifySource,
  resolvedBy,
  tellsSource,
  type Ending,
  type Resolved,
} from './resolve.ts';
import { alreadyResolved, askedBySource, common, deviceView, readIn, type InquiryRow } from './store.ts';
import { lockPeople, raised, raisePeople } from './versions.ts';
import { withdrawnBy } from './withdraw.ts';

const MINUTE = 60_000;
/** How long after opening somebody must have been reached before the source is warned (DLV2). */
export const REACH_MS = MINUTE;

/**
 * An ask of a source. `waitMs` above 0: the caller blocks and holds a lease on the inquiry. `matchedBy`
 * is what a re-issued call without key is matched by (ASK5), where the caller knows it better than what is asked says.
 */
export type AskCommand = { sourceId: string; ask: Ask; waitMs: number; matchedBy?: string };
/** `inquiry`, as its source reads it, where the call opened it. */
type AskResult = { inquiryId: string; created: boolean; inquiry?: Inquiry };

type Prepared = { asked: Asked & { title: string }; digest: string; fingerprint: string | null; transport: object };
type Opened = AskResult & {
  view?: Inquiry;
  versions: PersonVersion[];
  superseded: Resolved | undefined;
  pushes: number;
  webhooks: number;
};

/**
 * Opens an inquiry, or finds the one that the same key (ASK2) or a re-issued blocking call (ASK5)
 * already opened. When it returns, the inquiry survives any crash (ASK1) and devices are being told.
 * Throws 422 with every fault (ASK3), 409 for a key with another question or a superseded inquiry
 * that is resolved, 429 above the source's limit of open inquiries.
 */
export async function ask(inquiries: Inquiries, command: AskCommand): Promise<AskResult> {
  const faults = await askFaults(command.sourceId, command.ask);
  if (faults.length > 0) throw invalid(faults);
  const prepared = prepare(command);
  const opened = await openOnce(inquiries, command, prepared);
  if (opened.superseded) announceResolved(inquiries, opened.superseded);
  if (opened.view) {
    inquiries.announce.inquiry({ inquiry: opened.view, versions: opened.versions });
    inquiries.count('asked');
  }
  if (opened.webhooks > 0) inquiries.wakeDeliveries();
  if (opened.pushes > 0) inquiries.wakePushes();
  const { inquiryId, created, inquiry } = opened;
  return inquiry ? { inquiryId, created, inquiry } : { inquiryId, created };
}

function prepare(command: AskCommand): Prepared {
  const { to, deadline: _deadline, latest: _latest, ...rest } = command.ask;
  const { title, prompt, questions, document, actions, link, ...transport } = rest;
  const asked = { title: title ?? titleOf(rest), ...definedOf({ prompt, questions, document, actions, link }) };
  const digest = hash('sha256', canonical(asked));
  const blocking = command.waitMs > 0 && transport.key === undefined;
  const { context, group } = transport;
  const call = command.matchedBy ?? { digest, context: context ?? {}, group: group ?? '' };
  const fingerprint = blocking ? hash('sha256', canonical({ to: to?.toSorted() ?? [], call })) : null;
  return { asked, digest, fingerprint, transport };
}

async function openOnce(inquiries: Inquiries, command: AskCommand, prepared: Prepared): Promise<Opened> {
  const work = () => open(inquiries, command, prepared);
  try {
    return await inquiries.database.steps(work);
  } catch (error) {
    // Two calls with one key, or identical ones without, at the same moment: the other one opened it first.
    if (!isUniqueViolation(error)) throw error;
    return inquiries.database.steps(work);
  }
}

function* open(inquiries: Inquiries, command: AskCommand, prepared: Prepared): Steps<Opened> {
  const { clock } = inquiries.database;
  const { sourceId, ask, waitMs } = command;
  const now = clock.now();
  const [named, [asker], [same] = []] = yield* together(...namedBy(sourceId, ask.to), ...sameCall(command, prepared));
  const known = same && matching(inquiries, command, prepared, same, now);
  if (known) {
    // Whoever comes back by its key is not gone, whether it waits here or only reads from now on.
    const leased = waitMs > 0 || known.lease_until !== null;
    if (leased && known.outcome === null) yield* lastly(takeLease(known.id, leaseEnd(command, now)));
    return { inquiryId: known.id, created: false, versions: [], superseded: undefined, pushes: 0, webhooks: 0 };
  }
  const times = timesOf(ask, now, waitMs > 0);
  if (Array.isArray(times)) throw invalid(times);
  const recipients = yield* recipientsOf(ask.to, named, asker);
  const ending = ask.supersedes === undefined ? undefined : yield* supersede(sourceId, ask.supersedes, clock, now);
  yield* refuseAboveLimit(inquiries, sourceId, now);
  return yield* write(newRow(command, prepared, recipients, times, now), prepared, recipients.personIds, ending);
}

/** Writes a new inquiry with who is told of it, and what is left of the one that it supersedes. */
function* write(
  row: InquiryRow,
  { asked, transport }: Prepared,
  personIds: string[],
  ending: Ending | undefined,
): Steps<Opened> {
  const { id: inquiryId, opened_at: now, deadline_at: giveUpAt } = row;
  const people = keys(personIds);
  const storing = [
    insertInquiry(...INSERTED.map((column) => row[column])),
    insertRecipients(people, inquiryId),
    tell(inquiryId, personIds, now),
    wantShown({ subjectId: inquiryId, personIds, giveUpAt, now }),
  ] as const;
  const telling = [...(ending ? finish(ending, people) : lockPeople(people, '')), raisePeople(people)];
  // Where a webhook may have to say that nobody was told, that is known before the last step.
  const warns = tellsSource(row);
  const [, , devices, pushes, ...rest] = yield* warns ? together(...storing) : lastly(...storing, ...telling);
  const told = devices.filter(({ told_at }) => told_at !== null).length;
  const webhooks = warns && told === 0 ? yield* notifySource(row, 'inquiry.unreachable', undefined, now) : [];
  const warning = webhooks.length > 0 ? [takeWarning(inquiryId), ...webhooks] : [];
  const raises = (warns ? yield* lastly(...telling, ...warning) : rest) as Parameters<typeof raised>[0][];
  const reach = { told, accepted: 0, shown: 0, opened: 0 };
  return {
    inquiryId,
    created: true,
    inquiry: { ...asked, ...transport, ...common(row, { reach }) },
    view: deviceView(row, { reach }),
    versions: raised(raises[telling.length - 1] ?? []),
    superseded: ending && resolvedBy(ending, raises[2] ?? []),
    pushes: pushes.length,
    webhooks: webhooks.length,
  };
}

const INSERTED = [
  'id',
  'source_id',
  'key',
  'fingerprint',
  'digest',
  'asked',
  'transport',
  'asked_of',
  'group_name',
  'opened_at',
  'deadline_at',
  'latest_at',
  'lease_until',
  'reach_due_at',
] as const;
const insertInquiry = statement(
  `insert into inquiries (${INSERTED.join(', ')}) values (${INSERTED.map((_, at) => `?${at + 1}`).join(', ')})`,
);
const insertRecipients = statement(
  'insert into recipients (person_id, inquiry_id) select key, cast(?2 as text) from json_each(?1)',
);

/** What is stored of a new inquiry, with the columns of its source that are read with it. */
function newRow(
  command: AskCommand,
  prepared: Prepared,
  { handles, source }: Recipients,
  times: Times,
  now: number,
): InquiryRow {
  return {
    id: newId('inq', now),
    source_id: command.sourceId,
    key: command.ask.key ?? null,
    fingerprint: prepared.fingerprint,
    digest: prepared.digest,
    asked: JSON.stringify(prepared.asked),
    transport: JSON.stringify(prepared.transport),
    asked_of: JSON.stringify(handles),
    group_name: command.ask.group ?? null,
    revision: 1,
    opened_at: now,
    deadline_at: Math.round(times.deadlineAt),
    latest_at: Math.round(times.latestAt),
    lease_until: leaseEnd(command, now),
    reach_due_at: now + REACH_MS,
    outcome: null,
    resolution: null,
    resolved_at: null,
    collected_at: null,
    late_count: 0,
    sealed: null,
    source_name: source.name,
    source_locale: source.locale,
    source_texts: source.texts,
    source_webhook_url: source.webhook_url,
    source_revoked_at: null,
  };
}

type Same = Pick<InquiryRow, 'id' | 'digest' | 'outcome' | 'resolved_at' | 'lease_until'>;
const same = 'select id, digest, outcome, resolved_at, lease_until from inquiries where source_id = ?1';
const byKey = statement<Same>(`${same} and key = ?2`);
const byFingerprint = statement<Same>(`${same} and fingerprint = ?2 and collected_at is null order by id desc limit 1`);

function sameCall({ sourceId, ask: { key } }: AskCommand, { fingerprint }: Prepared): Statement<Same>[] {
  if (key !== undefined) return [byKey(sourceId, key)];
  return fingerprint === null ? [] : [byFingerprint(sourceId, fingerprint)];
}

/** The inquiry that this very call opened before (ASK2, ASK5). */
function matching(
  { collected }: Inquiries,
  { ask: { key } }: AskCommand,
  { digest, asked }: Prepared,
  row: Same,
  now: number,
): Same | undefined {
  if (key !== undefined) {
    if (row.digest === digest) return row;
    throw new AppError(
      409,
      'inquiry.key_reused',
      'This key belongs to an inquiry that asks something else. Use a new key, or ask the same.',
      { extra: { inquiryId: row.id } },
    );
  }
  if (row.outcome === null) return row;
  const fresh = (row.resolved_at ?? 0) > now - (asked.actions ? MINUTE : HOUR_MS);
  return fresh && !collected.has(row.id) && row.outcome !== 'withdrawn' ? row : undefined;
}

function* refuseAboveLimit({ openLimit, openCounts }: Inquiries, sourceId: string, now: number): Steps<void> {
  if ((yield* openCounts.raise(sourceId, openLimit, now)) > openLimit) {
    throw new AppError(
      429,
      'source.too_many_open',
      `This source has ${openLimit} open inquiries, which is its limit. Withdraw some or wait for answers.`,
    );
  }
}

function* supersede(sourceId: string, inquiryId: string, clock: Clock, now: number): Steps<Ending> {
  const row = yield* readIn(askedBySource(inquiryId, sourceId));
  const ending = yield* beginResolve(row, withdrawnBy(row, 'superseded'), { clock, now, due: 'before deadline' });
  if (ending) return ending;
  const current = yield* readIn(askedBySource(inquiryId, sourceId));
  throw alreadyResolved(current, 'The inquiry to supersede is resolved already, or its deadline has passed.');
}

const RECOUNT_MS = 10_000;

export type OpenCounts = ReturnType<typeof createOpenCounts>;

const countOpen = statement<{ open: number }>(
  'select count(*) as open from inquiries where source_id = ?1 and resolution is null',
);

/**
 * Counts open inquiries without counting rows at each ask: what was counted, plus what was asked on
 * this node since, is never too low for one node; it is counted anew above the limit, or after 10 s
 * because other nodes ask too.
 */
export function createOpenCounts() {
  const known = new Map<string, { count: number; countedAt: number }>();
  return {
    /** How many open inquiries a source has at most, one more included. Run twice, it is too high, and soon counted anew. */
    *raise(sourceId: string, limit: number, now: number): Steps<number> {
      let entry = known.get(sourceId);
      if (!entry || entry.countedAt < now - RECOUNT_MS || entry.count >= limit) {
        const [[row]] = yield* together(countOpen(sourceId));
        entry = { count: row?.open ?? 0, countedAt: now };
        known.set(sourceId, entry);
      }
      return ++entry.count;
    },
  };
}
