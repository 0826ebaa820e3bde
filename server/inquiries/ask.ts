import { hash } from 'node:crypto';
import type { Ask, Asked, Inquiry } from '#shared/inquiry.ts';
import { newId } from '#shared/ids.ts';
import { canonical, definedOf } from '#shared/json.ts';
import { invalid } from '#shared/faults.ts';
import { AppError, type Fault } from '#shared/problem.ts';
import { wantShown } from '../deliveries/push/want.ts';
import { tell } from '../deliveries/inquiry-devices.ts';
import { isUniqueViolation } from '../platform/database.ts';
import { withSchemaFaults } from '../platform/json-schema/check.ts';
import { keys, lastly, statement, together, type Statement, type Steps } from '../platform/steps.ts';
import { namedBy, recipientsOf, type Recipients } from '../sources/recipients.ts';
import { matching, sameCall } from './asks/same.ts';
import { askFaultsBy, timesOf, titleOf, type Times } from './check.ts';
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
  type Hub,
  type Resolved,
} from './resolve.ts';
import { alreadyResolved, askedBySource, common, deviceView, firstOf, readIn, type InquiryRow } from './store.ts';
import { lockPeople, raised, raisePeople } from './versions.ts';
import { withdrawnBy } from './withdraw.ts';

/** How long after opening somebody must have been reached before the source is warned (DLV2). */
export const REACH_MS = 60_000;

/**
 * An ask of a source. `waitMs` above 0: the caller blocks and holds a lease on the inquiry. `matchedBy`
 * is what a re-issued call without key is matched by (ASK5), where the caller knows it better than what is asked says.
 * `held`: it is nobody's any more once the last caller is gone for long, in spite of its key.
 */
export type AskCommand = {
  sourceId: string;
  ask: Ask;
  waitMs: number;
  matchedBy?: string;
  through?: Through;
  held?: boolean;
};

/** What a framework asks beside its first inquiry; all of it is written in one transaction. */
export type Through = {
  /** The ask's id, if this call opens it. */
  id: string;
  dialect: { name: string; label: string };
  /** What the reply is made of. */
  kept: string;
  about: string | null;
  /** What did not fit into the first inquiry. */
  further: Ask[];
};

/** The inquiries, as their source reads them, where the call opened them. */
type AskResult = { inquiryId: string; created: boolean; inquiry?: Inquiry; further?: Inquiry[] };

type Prepared = {
  ask: Ask;
  asked: Asked & { title: string };
  digest: string;
  fingerprint: string | null;
  transport: object;
};
type Written = { inquiry: Inquiry; view: Inquiry; versions: PersonVersion[]; pushes: number; webhooks: number };
type Opened = { inquiryId: string; written: Written[]; superseded?: Resolved | undefined };

/**
 * Opens an inquiry, or finds the one that the same key (ASK2) or a re-issued blocking call (ASK5)
 * already opened. When it returns, the inquiry survives any crash (ASK1) and devices are being told.
 * Throws 422 with every fault (ASK3), 409 for a key with another question or a superseded inquiry
 * that is resolved, 429 above the source's limit of open inquiries.
 */
export async function ask(inquiries: Inquiries, command: AskCommand): Promise<AskResult> {
  const asks = [command.ask, ...(command.through?.further ?? [])];
  refuseFaulty(await withSchemaFaults(command.sourceId, (faults) => asks.map((one) => askFaultsBy(one, faults))));
  const prepared = asks.map((one) => prepare(command, one));
  const { inquiryId, written, superseded } = await openOnce(inquiries, command, prepared);
  if (superseded) announceResolved(inquiries, superseded);
  for (const { view, versions } of written) {
    inquiries.announce.inquiry({ inquiry: view, versions });
    inquiries.count('asked');
  }
  if (written.some(({ webhooks }) => webhooks > 0)) inquiries.wakeDeliveries();
  if (written.some(({ pushes }) => pushes > 0)) inquiries.wakePushes();
  const [inquiry, ...further] = written.map((one) => one.inquiry);
  return inquiry ? { inquiryId, created: true, inquiry, further } : { inquiryId, created: false };
}

/** Throws 422 with every fault of every inquiry; those of further ones below `/further/…`. */
export function refuseFaulty([first = [], ...further]: Fault[][]): void {
  const others = further.flatMap((faults, at) => faults.map((one) => ({ ...one, path: `/further/${at}${one.path}` })));
  if (first.length + others.length > 0) throw invalid([...first, ...others]);
}

function prepare(command: AskCommand, ask: Ask): Prepared {
  const { to, deadline: _deadline, latest: _latest, ...rest } = ask;
  const { title, prompt, questions, document, actions, link, ...own } = rest;
  const transport = command.through ? { ...own, dialect: command.through.dialect } : own;
  const asked = { title: title ?? titleOf(rest), ...definedOf({ prompt, questions, document, actions, link }) };
  const digest = hash('sha256', canonical(asked));
  const blocking = command.waitMs > 0 && own.key === undefined && ask === command.ask;
  const { context, group } = own;
  const call = command.matchedBy ?? { digest, context: context ?? {}, group: group ?? '' };
  const fingerprint = blocking ? hash('sha256', canonical({ to: to?.toSorted() ?? [], call })) : null;
  return { ask, asked, digest, fingerprint, transport };
}

async function openOnce(inquiries: Inquiries, command: AskCommand, prepared: Prepared[]): Promise<Opened> {
  const work = () => open(inquiries, command, prepared);
  try {
    return await inquiries.database.steps(work);
  } catch (error) {
    // Two calls with one key, or identical ones without, at the same moment: the other one opened it first.
    if (!isUniqueViolation(error)) throw error;
    return inquiries.database.steps(work);
  }
}

function* open(inquiries: Inquiries, command: AskCommand, prepared: Prepared[]): Steps<Opened> {
  const { sourceId, ask, waitMs, through } = command;
  const now = inquiries.database.clock.now();
  const [{ fingerprint, digest }] = prepared as [Prepared];
  const approves = prepared.some(({ asked }) => asked.actions);
  const call = { key: ask.key, fingerprint, digest, kept: through?.kept ?? null, approves };
  const [named, [asker], [same] = []] = yield* together(...namedBy(sourceId, ask.to), ...sameCall(sourceId, call));
  const known = same && (yield* matching(call, same, { now, isCollected: inquiries.collected.has }));
  if (known) {
    // Whoever comes back by its key is not gone, whether it waits here or only reads from now on.
    const leased = waitMs > 0 || known.lease_until !== null;
    if (leased && known.open) yield* lastly(takeLease(known.id, leaseEnd(command, now), known.ask_id));
    return { inquiryId: known.id, written: [] };
  }
  const times = timesOf(ask, now, waitMs > 0);
  if (Array.isArray(times)) throw invalid(times);
  const recipients = yield* recipientsOf(ask.to, named, asker);
  const ending = ask.supersedes === undefined ? undefined : yield* supersede(inquiries, sourceId, ask.supersedes, now);
  yield* refuseAboveLimit(inquiries, sourceId, { now, more: prepared.length });
  const rows = prepared.map((part, at) => newRow(command, { part, first: at === 0 }, recipients, times, now));
  return yield* write(rows, prepared, recipients.personIds, ending);
}

/** Writes new inquiries with who is told of them, and what is left of the one that they supersede. */
function* write(
  rows: InquiryRow[],
  prepared: Prepared[],
  personIds: string[],
  ending: Ending | undefined,
): Steps<Opened> {
  const people = keys(personIds);
  const storing = rows.flatMap((row) => storingOf(row, personIds, people));
  // People are locked once, however many inquiries they get, in the last step.
  const telling = [
    ...(ending ? finish(ending, people) : lockPeople(people, '')),
    ...rows.map(() => raisePeople(people)),
  ];
  // Where a webhook may have to say that nobody was told, that is known before the last step.
  const warns = rows.some(tellsSource);
  const stored: unknown[][] = yield* warns ? together(...storing) : lastly(...storing, ...telling);
  const parts: Omit<Written, 'versions'>[] = [];
  const warnings: Statement[] = [];
  for (const [at, row] of rows.entries()) {
    const [, , devices, pushes] = stored.slice(at * STORING) as [[], [], { told_at: number | null }[], unknown[]];
    const told = devices.filter(({ told_at }) => told_at !== null).length;
    const webhooks =
      warns && told === 0 ? yield* notifySource(row, 'inquiry.unreachable', undefined, row.opened_at) : [];
    if (webhooks.length > 0) warnings.push(takeWarning(row.id), ...webhooks);
    const { asked, transport } = prepared[at] as Prepared;
    const reach = { told, accepted: 0, shown: 0, opened: 0 };
    const inquiry = { ...asked, ...transport, ...common(row, { reach }) };
    parts.push({ inquiry, view: deviceView(row, { reach }), pushes: pushes.length, webhooks: webhooks.length });
  }
  const told = (warns ? yield* lastly(...telling, ...warnings) : stored.slice(storing.length)) as Raised[];
  const raises = told.slice(telling.length - rows.length);
  const written = parts.map((part, at) => ({ ...part, versions: raised(raises[at] ?? []) }));
  return { inquiryId: rows[0]?.id ?? '', written, superseded: ending && resolvedBy(ending, told[2] ?? []) };
}

type Raised = Parameters<typeof raised>[0];
/** So many statements store one inquiry. */
const STORING = 4;

function storingOf(row: InquiryRow, personIds: string[], people: string): Statement[] {
  const { id: inquiryId, opened_at: now, deadline_at: giveUpAt } = row;
  return [
    insertInquiry(...INSERTED.map((column) => row[column])),
    insertRecipients(people, inquiryId),
    tell(inquiryId, personIds, now),
    wantShown({ subjectId: inquiryId, personIds, giveUpAt, now }),
  ];
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
  'ask_id',
  'kept',
  'about',
] as const;
const insertInquiry = statement(
  `insert into inquiries (${INSERTED.join(', ')}) values (${INSERTED.map((_, at) => `?${at + 1}`).join(', ')})`,
);
const insertRecipients = statement(
  'insert into recipients (person_id, inquiry_id) select key, cast(?2 as text) from json_each(?1)',
);

/** What is stored of a new inquiry, with the columns of its source that are read with it. */
function newRow(
  { sourceId, waitMs, through, held = false }: AskCommand,
  { part, first }: { part: Prepared; first: boolean },
  { handles, source }: Recipients,
  times: Times,
  now: number,
): InquiryRow {
  return {
    id: through && first ? firstOf(through.id) : newId('inq', now),
    source_id: sourceId,
    key: part.ask.key ?? null,
    fingerprint: part.fingerprint,
    digest: part.digest,
    asked: JSON.stringify(part.asked),
    transport: JSON.stringify(part.transport),
    asked_of: JSON.stringify(handles),
    group_name: part.ask.group ?? null,
    revision: 1,
    opened_at: now,
    deadline_at: Math.round(times.deadlineAt),
    latest_at: Math.round(times.latestAt),
    lease_until: leaseEnd({ waitMs, ask: part.ask, held }, now),
    reach_due_at: now + REACH_MS,
    outcome: null,
    resolution: null,
    resolved_at: null,
    collected_at: null,
    late_count: 0,
    sealed: null,
    ask_id: through && through.further.length > 0 ? through.id : null,
    kept: through && first ? through.kept : null,
    about: through?.about ?? null,
    source_name: source.name,
    source_locale: source.locale,
    source_texts: source.texts,
    source_webhook_url: source.webhook_url,
    source_revoked_at: null,
  };
}

function* refuseAboveLimit(
  { openLimit, openCounts }: Inquiries,
  sourceId: string,
  { now, more }: { now: number; more: number },
): Steps<void> {
  if ((yield* openCounts.raise(sourceId, { limit: openLimit, now, more })) > openLimit) {
    throw new AppError(
      429,
      'source.too_many_open',
      `This source has ${openLimit} open inquiries, which is its limit. Withdraw some or wait for answers.`,
    );
  }
}

function* supersede(hub: Hub, sourceId: string, inquiryId: string, now: number): Steps<Ending> {
  const row = yield* readIn(askedBySource(inquiryId, sourceId));
  const ending = yield* beginResolve(row, withdrawnBy(row, 'superseded'), { hub, now, due: 'before deadline' });
  if (ending) return ending;
  const current = yield* readIn(askedBySource(inquiryId, sourceId));
  throw alreadyResolved(current, 'The inquiry to supersede is resolved already, or its deadline has passed.');
}
